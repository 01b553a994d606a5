import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import 'reflect-metadata';

// n8n-core reads its settings when it is first imported, and refuses to start without a key:
// whatever imports n8n-core in a test imports this file before it.
const userFolder = mkdtempSync(join(tmpdir(), 'visitor-service-engine-'));
process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_ENCRYPTION_KEY = 'engine-test-key-0123456789abcdef';
process.env.N8N_DIAGNOSTICS_ENABLED = 'false';
process.env.N8N_LOG_LEVEL = 'silent';

// Jest gives each test file its own registry of modules, so each has its own folder to remove.
afterAll(() => rmSync(userFolder, { recursive: true, force: true }));
