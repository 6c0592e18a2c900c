// @ts-check
/**
 * A server for the API in a common style: NestJS on Fastify with TypeORM
 * repositories. Decorators are called as functions, since this file is not
 * compiled. `run.mjs` starts it with DATABASE_URL, and it prints its port.
 */
import 'reflect-metadata';
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Patch,
  Post,
  Query,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DataSource, In, LessThan, Like } from 'typeorm';
import { Comments, Posts, Users } from './nest-typeorm/entities.mjs';

const source = await new DataSource({
  type: 'mysql',
  url: process.env['DATABASE_URL'] ?? '',
  entities: [Posts, Comments, Users],
  extra: { connectionLimit: 10 },
  timezone: 'Z',
  synchronize: false,
}).initialize();
const posts = source.getRepository(Posts);
const comments = source.getRepository(Comments);
const users = source.getRepository(Users);

/** @param {any} value */
const toMoment = (value) => value.toISOString().replace('.000Z', 'Z');
/** @param {any} row @returns {any} */
const toDated = (row) => ({ ...row, created_at: toMoment(row.created_at) });
/** @param {any} row @returns {any} */
function toPost(row) {
  const post = { ...toDated(row), published: Boolean(row.published) };
  if (row.user !== undefined) post.user = toDated(row.user);
  if (row.comments !== undefined) post.comments = row.comments.map(toDated);
  return post;
}
/** @template T @param {T | null} found @returns {T} */
function there(found) {
  if (found === null) throw new NotFoundException('There is no such record.');
  return found;
}

class PostsController {
  /** @param {number} id */
  async one(id) {
    return toPost(there(await posts.findOneBy({ id })));
  }

  /** @param {Record<string, string>} query */
  async list({ id__lt: below, user_id: userId, sort, limit = '20', include }) {
    const found = await posts.find({
      where: {
        ...(below === undefined ? {} : { id: LessThan(Number(below)) }),
        ...(userId === undefined ? {} : { user_id: Number(userId) }),
      },
      order: { id: sort === '-id' ? 'DESC' : 'ASC' },
      take: Number(limit),
      ...(include === 'user' ? { relations: /** @type {any} */ ({ user: true }) } : {}),
    });
    // The children are read by a separate query, because `relations` with `take` would read the whole join.
    if (include === 'comments') {
      const children = await comments.find({
        where: { post_id: In(found.map((post) => post.id)) },
        order: { id: 'ASC' },
      });
      for (const post of found)
        /** @type {any} */ (post).comments = children.filter((child) => child.post_id === post.id);
    }
    return found.map(toPost);
  }

  /** @param {number} id @param {any} body */
  async change(id, body) {
    const { affected } = await posts.update(id, body);
    return toPost(there(affected === 0 ? null : await posts.findOneBy({ id })));
  }
}

class CommentsController {
  /** @param {any} body */
  async create(body) {
    const saved = await comments.insert(body);
    const ids = saved.identifiers.map((identifier) => /** @type {any} */ (identifier).id);
    const written = (await comments.find({ where: { id: In(ids) }, order: { id: 'ASC' } })).map(toDated);
    return Array.isArray(body) ? written : written[0];
  }

  /** @param {number} id */
  async remove(id) {
    if ((await comments.delete(id)).affected === 0) throw new NotFoundException('There is no such record.');
  }
}

class UsersController {
  /** @param {Record<string, string>} query */
  async list({ username__like: pattern = '', limit = '20' }) {
    return (
      await users.find({ where: { username: Like(pattern) }, order: { id: 'ASC' }, take: Number(limit) })
    ).map(toDated);
  }
}

/**
 * @param {any} target
 * @param {string} name
 * @param {MethodDecorator[]} methods
 * @param {ParameterDecorator[]} parameters
 */
function decorate(target, name, methods, parameters) {
  const descriptor = /** @type {PropertyDescriptor} */ (
    Object.getOwnPropertyDescriptor(target.prototype, name)
  );
  for (const method of methods) method(target.prototype, name, descriptor);
  parameters.forEach((parameter, index) => parameter(target.prototype, name, index));
}

const id = Param('id', ParseIntPipe);
decorate(PostsController, 'one', [Get(':id')], [id]);
decorate(PostsController, 'list', [Get()], [Query()]);
decorate(PostsController, 'change', [Patch(':id')], [id, Body()]);
decorate(CommentsController, 'create', [Post()], [Body()]);
decorate(CommentsController, 'remove', [Delete(':id'), HttpCode(204)], [id]);
decorate(UsersController, 'list', [Get()], [Query()]);
Controller('posts')(PostsController);
Controller('comments')(CommentsController);
Controller('users')(UsersController);
class AppModule {}
Module({ controllers: [PostsController, CommentsController, UsersController] })(AppModule);

const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: ['error'] });
await app.listen(0, '127.0.0.1');
console.log(JSON.stringify({ port: Number(new URL(await app.getUrl()).port) }));
process.on('SIGTERM', () => process.exit(0));
