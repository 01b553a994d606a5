import feathersjs from '@feathersjs/feathers';
import { KnexService } from '@feathersjs/knex';
import * as feathersKoa from '@feathersjs/koa';
import createBookshelf from 'bookshelf';
import express from 'express';
import { attachPaginate } from 'knex-paginate';
import { Model } from 'objection';

/** A list as the documents of each query builder write it: the body is what the builder returns. */
function listOf(readPage) {
	const app = express();
	app.get('/users', async ({ query }, response) => {
		const { page = 0, pageSize = 20, updatedSince } = query;
		response.json(await readPage(Number(page), Number(pageSize), updatedSince));
	});
	return app;
}

const since = (updatedSince) => (query) => {
	if (updatedSince) query.where('updatedAt', '>=', updatedSince);
};

export function objection({ knex }) {
	class User extends Model {
		static tableName = 'users';
	}
	const users = User.bindKnex(knex);
	return listOf((page, size, after) =>
		users.query().modify(since(after)).orderBy('id').page(page, size),
	);
}

export function knexPaginate({ knex }) {
	attachPaginate();
	return listOf((currentPage, perPage, after) =>
		knex('users')
			.modify(since(after))
			.orderBy('id')
			.paginate({ currentPage, perPage, isLengthAware: true }),
	);
}

export function bookshelf({ knex }) {
	const User = createBookshelf(knex).model('User', { tableName: 'users' });
	return listOf(async (page, pageSize, after) => {
		const found = await new User().query(since(after)).orderBy('id').fetchPage({ page, pageSize });
		return { data: found.toJSON(), pagination: found.pagination };
	});
}

export async function feathers({ knex: database }) {
	const app = feathersKoa.koa(feathersjs.feathers());
	app.use(feathersKoa.errorHandler());
	app.use(feathersKoa.bodyParser());
	app.configure(feathersKoa.rest());
	const paginate = { default: 10, max: 50 };
	app.use('users', new KnexService({ Model: database, name: 'users', id: 'id', paginate }));
	await app.setup();
	return app.callback();
}
