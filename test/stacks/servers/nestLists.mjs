import 'reflect-metadata';
import { Crud } from '@dataui/crud';
import { TypeOrmCrudService } from '@dataui/crud-typeorm';
import { Controller, Get, Module, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FilterOperator, Paginate, paginate } from 'nestjs-paginate';
import { paginate as paginateQuery } from 'nestjs-typeorm-paginate';
import { Column, DataSource, Entity, MoreThanOrEqual, PrimaryColumn } from 'typeorm';

class User {}
const text = [Column('text'), Reflect.metadata('design:type', String)];
Reflect.decorate(
	[PrimaryColumn('int'), Reflect.metadata('design:type', Number)],
	User.prototype,
	'id',
);
for (const name of ['name', 'email', 'updatedAt']) Reflect.decorate(text, User.prototype, name);
Entity('users')(User);

async function repositoryOf({ file }) {
	const source = new DataSource({ type: 'better-sqlite3', database: file, entities: [User] });
	await source.initialize();
	return source.getRepository(User);
}

/** A module with one controller, as its decorators would make it. */
async function serve(controller) {
	Controller('users')(controller);
	class App {}
	Module({ controllers: [controller] })(App);
	const app = await NestFactory.create(App, { logger: false });
	await app.init();
	return app.getHttpAdapter().getInstance();
}

/** `GET /users`, whose only argument is what the decorator gives. */
function route(controller, argument) {
	argument(controller.prototype, 'list', 0);
	const descriptor = Object.getOwnPropertyDescriptor(controller.prototype, 'list');
	Reflect.decorate([Get()], controller.prototype, 'list', descriptor);
	return controller;
}

export async function nestjsPaginate(users) {
	const repository = await repositoryOf(users);
	class Users {
		list(query) {
			return paginate(query, repository, {
				sortableColumns: ['id', 'name', 'updatedAt'],
				defaultSortBy: [['id', 'ASC']],
				filterableColumns: { updatedAt: [FilterOperator.GTE] },
			});
		}
	}
	return await serve(route(Users, Paginate()));
}

export async function nestjsTypeormPaginate(users) {
	const repository = await repositoryOf(users);
	class Users {
		list({ page, limit, updatedSince }) {
			const where = updatedSince ? { updatedAt: MoreThanOrEqual(updatedSince) } : {};
			return paginateQuery(repository, { page, limit }, { where, order: { id: 'ASC' } });
		}
	}
	return await serve(route(Users, Query()));
}

export async function datauiCrud(users) {
	const service = new TypeOrmCrudService(await repositoryOf(users));
	class Users {
		service = service;
	}
	const sort = [{ field: 'id', order: 'ASC' }];
	Crud({ model: { type: User }, query: { alwaysPaginate: true, sort } })(Users);
	return await serve(Users);
}
