import { createRequire } from 'node:module';
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import * as knexLists from './knexLists.mjs';
import * as nestLists from './nestLists.mjs';
import * as storedLists from './storedLists.mjs';

/** A limit of ten requests a second, in front of a list of 24 pages. */
function limited(users) {
	const limit = rateLimit({ windowMs: 1_000, limit: 10, standardHeaders: 'draft-8' });
	return express().use(limit, knexLists.objection(users));
}

const CREATORS = {
	'json-server': storedLists.jsonServer0,
	'json-server-1': storedLists.jsonServer1,
	moleculer: storedLists.moleculer,
	'@feathersjs/feathers': knexLists.feathers,
	'nestjs-paginate': nestLists.nestjsPaginate,
	'nestjs-typeorm-paginate': nestLists.nestjsTypeormPaginate,
	'@dataui/crud': nestLists.datauiCrud,
	objection: knexLists.objection,
	'knex-paginate': knexLists.knexPaginate,
	bookshelf: knexLists.bookshelf,
	'express-rate-limit': limited,
};

export const LISTS = createRequire(import.meta.url)('./lists.json').map((list) => {
	return { ...list, create: CREATORS[list.stack] };
});

/**
 * The query under the names that a stack has for its parameters.
 *
 * @param shift what is added to the number of a page, so that the stack counts from 0
 */
export function rename(search, { names = {}, skip = false }, shift) {
	const query = new URLSearchParams();
	for (const [name, value] of search) {
		// What stands after the name is part of the value.
		const [theirs, prefix = ''] = (names[name] ?? name).split('=');
		const size = Number(search.get('pageSize') ?? 10);
		const page = Number(value) + shift;
		query.append(theirs, name === 'page' ? String(skip ? page * size : page) : prefix + value);
	}
	return query;
}
