// Loaded into n8n with `node --require`. The channel to the process that started n8n closes when
// that process ends, however it ends (also by SIGKILL, which leaves it no time to stop n8n).
const GRACE_MS = 10_000;

process.on('disconnect', () => {
	process.kill(process.pid, 'SIGTERM');
	setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS).unref();
});

// The channel alone must not keep n8n running.
process.channel?.unref();
