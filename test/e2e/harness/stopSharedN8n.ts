export { stopSharedN8n as default } from './startSharedN8n';
