// `node endWithParent.cjs <uid> <gid> <program> <arguments…>` runs a server that ends with the
// process that started this one, however that one ends (also by SIGKILL): the channel to it closes
// then.
const { spawn } = require('node:child_process');

const [uid, gid, program, ...programArguments] = process.argv.slice(2);
const server = spawn(program, programArguments, {
	stdio: 'inherit',
	...(uid === '' ? {} : { uid: Number(uid), gid: Number(gid) }),
});

server.once('error', (error) => {
	console.error(error.message);
	process.exit(1);
});
server.once('exit', (code) => process.exit(code ?? 1));
process.once('disconnect', () => server.kill('SIGKILL'));
// Undefined where the program could not be started.
if (server.pid !== undefined) process.send(server.pid);
