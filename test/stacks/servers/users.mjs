import Database from 'better-sqlite3';
import knex from 'knex';

const HOUR = 3_600_000;
export const COUNT = 2_345;

/** The same users for all stacks: in an SQLite file, and as objects for stores of their own. */
export function createUsers(file) {
	const database = new Database(file);
	database.exec(
		'CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, email TEXT, updatedAt TEXT)',
	);
	const insert = database.prepare('INSERT INTO users VALUES (@id, @name, @email, @updatedAt)');
	const all = () => database.prepare('SELECT * FROM users ORDER BY id').all();
	const start = Date.now() - (COUNT + 24) * HOUR;
	database.transaction(() => {
		for (let id = 1; id <= COUNT; id++) {
			// No order by time, and no two at one time.
			const updatedAt = new Date(start + ((id * 7_919) % COUNT) * HOUR).toISOString();
			insert.run({ id, name: `User ${id}`, email: `user${id}@example.com`, updatedAt });
		}
	})();
	const listeners = [];
	return {
		file,
		all,
		knex: knex({
			client: 'better-sqlite3',
			connection: { filename: file },
			useNullAsDefault: true,
		}),
		/** @param listener gets each change, for a store of its own */
		onChange: (listener) => listeners.push(listener),
		change: async (id, updatedAt) => {
			database.prepare('UPDATE users SET updatedAt = ? WHERE id = ?').run(updatedAt, id);
			for (const listener of listeners) await listener({ id, updatedAt });
		},
	};
}
