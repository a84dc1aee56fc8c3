import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Body, Controller, Get, HttpCode, Post, Query, UseGuards, UseInterceptors, type NestInterceptor, type Type } from '@nestjs/common';
import {
  GUARDS_METADATA,
  HTTP_CODE_METADATA,
  INTERCEPTORS_METADATA,
  METHOD_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { APP_GUARD, InitializeOnPreviewAllowlist, NestFactory } from '@nestjs/core';
import { UnknownDependenciesException } from '@nestjs/core/errors/exceptions/unknown-dependencies.exception.js';
import { FORBIDDEN_MESSAGE } from '@nestjs/core/guards/constants.js';
import { PipesConsumer } from '@nestjs/core/pipes/pipes-consumer.js';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiProperty, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { PostgresConnection, PostgresQueueBackend, Queue, type BackendFactory } from 'bullmq';
import { fastify } from 'fastify';
import pg from 'pg';
import { Column, DataSource, Entity, getMetadataArgsStorage, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import { sourceFiles } from '../../test/contract/source-files.js';
import { createTestDatabase } from '../../test/harness/test-database.js';
import { PROJECT_ROOT } from './config/project-root.js';
import { callListener } from './http/in-process/inner-call.js';
import { poolOf } from './persistence/database/pool.js';
import { PooledClient } from './persistence/database/pooled-client.js';
import { dataSourceOptions } from './persistence/persistence.module.js';

// Each test states what README.md lists. If one fails after an update, change the files that its row names, or keep the old version.

const read = (path: string) => readFileSync(join(PROJECT_ROOT, path), 'utf8');
/** Members that no type of the library has. */
const inside = (value: object) => value as Record<string, unknown>;
const table = [...read('src/platform/README.md').matchAll(/^\| `([^`]+)` \| (.+) \| (.+) \| (.+) \|$/gm)].map(
  ([, library, part, users, tests]) => ({ library, part, users: quoted(users), tests: quoted(tests) }),
);

function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
}

describe('the table', () => {
  test('names libraries that package.json pins, and files that exist', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
    expect(table.length).toBeGreaterThan(15);
    expect(table.filter(({ library }) => !/^\d+\.\d+\.\d+$/.test(dependencies[library] ?? '')).map(({ library }) => library)).toEqual([]);
    const files = table.flatMap(({ users, tests }) => [...users, ...tests]);
    expect(files.filter((file) => !existsSync(join(PROJECT_ROOT, file)))).toEqual([]);
  });

  test('names every file that imports a file of these libraries which their documentation does not mention', () => {
    const users = new Set(table.flatMap((row) => row.users));
    const internal = /from '(?:pg|pg-pool|typeorm|fastify|bullmq|@nestjs\/[a-z-]+)\/[^']+'/;
    const importing = sourceFiles('src').filter((file) => !/spec\.ts$/.test(file) && internal.test(read(file)));
    expect(importing.length).toBeGreaterThan(0);
    expect(importing.filter((file) => !users.has(file))).toEqual([]);
  });

  test('names every file that reads members of pg, TypeORM and BullMQ past their types', () => {
    const users = new Set(table.flatMap((row) => row.users));
    const cast =
      /as unknown as (?:Record<string, boolean>|\{ ?(?:connection|_\w+|processID|master|utils)\b)|\b_result\b|getMetadataArgsStorage/;
    const reading = sourceFiles('src').filter((file) => !/spec\.ts$/.test(file) && cast.test(read(file)));
    expect(reading.length).toBeGreaterThan(4);
    expect(reading.filter((file) => !users.has(file))).toEqual([]);
  });
});

describe('pg', () => {
  /** A connection whose other side is this test. */
  function connected() {
    const stream = Object.assign(new PassThrough(), { written: [] as Buffer[] });
    stream.write = ((bytes: Buffer) => stream.written.push(Buffer.from(bytes)) > 0) as never;
    const connection = new pg.Connection({ stream: stream as never });
    return { stream, connection: connection as unknown as EventEmitter & Record<string, (...args: unknown[]) => void> };
  }

  test('Client: connection, its listeners, and what the pool counts', () => {
    const client = new pg.Client();
    const { connection } = client as unknown as { connection: EventEmitter };
    expect(connection).toBeInstanceOf(pg.Connection);
    // PooledClient hears about an answer before pg emits `drain`, because pg listens only once it connects
    expect(connection.listenerCount('readyForQuery')).toBe(0);
    expect(inside(client)).toMatchObject({ _ending: false, _connected: false, processID: null });
    expect(inside(inside(client)._types as object)).toHaveProperty('getTypeParser');
    void client.end();
    expect(inside(client)._ending).toBe(true);
    expect(Object.keys(new pg.Client({ password: 'secret' }))).not.toContain('password');
  });

  test('Pool: closes a client whose _poolUseCount is infinite, and calls onConnect', async () => {
    const ended: object[] = [];
    class Fake extends EventEmitter {
      _queryable = true;
      connect = (done: () => void) => setImmediate(done);
      end = (done?: () => void) => {
        ended.push(this);
        done?.();
      };
      ref = () => undefined;
      unref = () => undefined;
    }
    const seen: unknown[] = [];
    const pool = new pg.Pool({ Client: Fake as never, onConnect: (client: unknown) => void seen.push(client) } as never);
    const [client, other] = [await pool.connect(), await pool.connect()];
    expect(client).toBeInstanceOf(Fake);
    expect(seen).toEqual([client, other]);
    inside(client)._poolUseCount = Infinity;
    client.release();
    other.release();
    expect(ended).toEqual([client]);
    expect([Object.keys(pool.options).includes('password'), pool.totalCount]).toEqual([false, 1]);
    await pool.end();
  });

  test('Connection: the events of messages', () => {
    const { connection, stream } = connected();
    connection.attachListeners(stream);
    const events: string[] = [];
    for (const name of ['readyForQuery', 'errorMessage', 'rowDescription']) connection.on(name, () => events.push(name));
    stream.emit('data', Buffer.from([0x5a, 0, 0, 0, 5, 0x49])); // ReadyForQuery
    stream.emit('data', Buffer.from([0x45, 0, 0, 0, 5, 0])); // ErrorResponse
    stream.emit('data', Buffer.from([0x54, 0, 0, 0, 6, 0, 0])); // RowDescription
    expect(events).toEqual(['readyForQuery', 'errorMessage', 'rowDescription']);
  });

  test('Connection: one message for each of parse, bind, describe, execute and sync', () => {
    const { connection, stream } = connected();
    expect(inside(connection)).toMatchObject({ parsedStatements: {}, submittedNamedStatements: {} });
    connection.parse({ name: 'a', text: 'SELECT $1' });
    connection.bind({ statement: 'a', values: ['x'] });
    connection.describe({ type: 'P', name: '' });
    connection.execute({});
    connection.sync();
    expect(stream.written.map((bytes) => String.fromCharCode(bytes[0]))).toEqual(['P', 'B', 'D', 'E', 'S']);
  });

  test('Query: its result and the parsers of its columns', () => {
    const query = inside(new pg.Query('SELECT 1', []));
    const result = query._result as Record<string, unknown> & { parseRow(texts: string[]): object };
    result._types = pg.types;
    const results: unknown[] = [];
    Object.assign(query, { _accumulateRows: true, callback: (_error: unknown, { rows }: { rows: unknown }) => results.push(rows) });
    const act = (name: string, ...args: unknown[]) => (query[name] as (...args: unknown[]) => void).call(query, ...args);
    act('handleRowDescription', { fields: [{ name: 'n', dataTypeID: 23, format: 'text' }] });
    expect((result._parsers as ((text: string) => unknown)[]).map((parse) => parse('7'))).toEqual([7]);
    act('handleDataRow', { fields: ['7'] });
    expect(result.parseRow(['8'])).toEqual({ n: 8 });
    act('handleCommandComplete', { text: 'SELECT 1' }, { sync: () => undefined });
    act('handleReadyForQuery', {});
    expect(results).toEqual([[{ n: 7 }]]);
    expect(['handleEmptyQuery', 'handleError'].map((name) => typeof query[name])).toEqual(['function', 'function']);
  });

  test('utils.prepareValue: a value as it is sent', () => {
    const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;
    expect([prepareValue(7), prepareValue(null), prepareValue(['a']), prepareValue({ a: 1 })]).toEqual(['7', null, '{"a"}', '{"a":1}']);
  });
});

describe('TypeORM', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await new DataSource(dataSourceOptions({ url: database.url, poolSize: 2 })).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  test('the pool of a data source is driver.master, with the options of `extra`', async () => {
    const pool = poolOf(dataSource);
    expect(pool).toBeInstanceOf(pg.Pool);
    expect([pool.options.max, inside(pool.options).pipeline]).toEqual([2, true]);
    const client = await pool.connect();
    expect(client).toBeInstanceOf(PooledClient);
    client.release();
  });

  test('a query runner gets its connection by connect(), and begins a transaction by one statement', async () => {
    const texts: string[] = [];
    const runner = dataSource.createQueryRunner();
    runner.connect = () => Promise.resolve({ query: (text: string) => (texts.push(text), Promise.resolve({ rows: [], rowCount: 0 })) });
    await runner.startTransaction();
    await runner.manager.query('SELECT 1');
    expect([texts, runner.isTransactionActive]).toEqual([['START TRANSACTION', 'SELECT 1'], true]);
  });

  test('decorators add entities to `tables` by push', () => {
    const { tables } = getMetadataArgsStorage();
    const before = tables.length;
    @Entity('private_parts_probe')
    class Probe {
      @PrimaryColumn() id!: string;
    }
    expect(tables.slice(before).map(({ target }) => target)).toEqual([Probe]);
    tables.splice(before);
  });

  test('EntityMetadata has the columns, virtual ones among them, and the indices in the order of their columns', async () => {
    @Entity('indexed_probe')
    @Index(['place', 'id'], { where: 'place > 0' })
    class Indexed {
      @PrimaryColumn('uuid') id!: string;
      @Column('int') place!: number;
      @VirtualColumn({
        type: 'int',
        query: (alias) => `SELECT ${alias}.place`,
      })
      same!: number;
    }
    const source = await new DataSource({ ...dataSourceOptions({ url: database.url, poolSize: 1 }), entities: [Indexed] }).initialize();
    const { tableName, columns, indices } = source.getMetadata(Indexed);
    await source.destroy();
    const named = columns.map(({ databaseName, isVirtualProperty }) => [databaseName, isVirtualProperty]);
    expect([tableName, named]).toEqual([
      'indexed_probe',
      expect.arrayContaining([
        ['id', false],
        ['place', false],
        ['same', true],
      ]),
    ]);
    expect(indices.map((index) => [index.columns.map(({ databaseName }) => databaseName), index.where])).toEqual([
      [['place', 'id'], 'place > 0'],
    ]);
  });
});

describe('Fastify', () => {
  test('has one listener for requests', async () => {
    const server = fastify();
    await server.ready();
    expect(server.server.listeners('request')).toHaveLength(1);
    await server.close();
  });

  test('routing runs a request that has no connection, with its body and every hook', async () => {
    const ran: string[] = [];
    const server = fastify();
    for (const name of ['onRequest', 'preHandler', 'onSend', 'onResponse'] as const) {
      server.addHook(name, async () => void ran.push(name));
    }
    server.post('/', async ({ body, ip }) => ({ body, ip }));
    await server.ready();
    const outer = { socket: { remoteAddress: '192.0.2.7' } } as IncomingMessage;
    const call = { method: 'POST', url: '/', headers: { 'content-type': 'application/json' }, body: '{"a":1}' };
    const { status, body } = await callListener(server.routing, outer, call);
    await server.close();
    expect([status, JSON.parse(String(body)), ran]).toEqual([
      200,
      { body: { a: 1 }, ip: '192.0.2.7' },
      ['onRequest', 'preHandler', 'onSend', 'onResponse'],
    ]);
  });

  test('runs hooks of one kind in the order of their installation, also for routes that were registered before', async () => {
    const ran: number[] = [];
    const server = fastify();
    for (const number of [1, 2]) server.addHook('onSend', async () => void ran.push(number));
    server.get('/', async () => 'answer');
    server.addHook('onSend', async () => void ran.push(3));
    await server.inject('/');
    expect(ran).toEqual([1, 2, 3]);
    await server.close();
  });

  test('accepts the body limit that an onRoute hook sets', async () => {
    const server = fastify({ bodyLimit: 10 });
    server.addHook('onRoute', (route) => void (route.bodyLimit = 100));
    server.post('/', async ({ routeOptions }) => String(routeOptions.bodyLimit));
    const { body } = await server.inject({ method: 'POST', url: '/', payload: { text: 'longer than ten bytes' } });
    expect([body, server.initialConfig.bodyLimit]).toEqual(['100', 10]);
    await server.close();
  });
});

describe('Nest', () => {
  const order: string[] = [];
  const noting = (name: string): NestInterceptor => ({
    intercept: (_context, next) => {
      order.push(name);
      return next.handle();
    },
  });
  const guard = (name: string) => ({ canActivate: () => (order.push(name), true) });
  class Filter {}

  @Controller('things')
  @UseGuards(guard('of the controller'))
  @UseInterceptors(noting('controller'))
  class Things {
    @Get(':id')
    @UseInterceptors(noting('handler'))
    get(@Query() _filter: Filter): string {
      return 'thing';
    }

    @Post()
    @HttpCode(202)
    create(@Body('name') _name: string, @Body() _body: Filter): void {
      // its metadata is read
    }
  }

  test('decorators leave their metadata under the keys of constants.js', () => {
    const { get, create } = Things.prototype;
    const of = (key: string, target: object) => Reflect.getMetadata(key, target) as unknown;
    expect([of(PATH_METADATA, Things), of(PATH_METADATA, get), of(METHOD_METADATA, get)]).toEqual(['things', ':id', 0]);
    expect([of(METHOD_METADATA, create), of(HTTP_CODE_METADATA, create), of(HTTP_CODE_METADATA, get)]).toEqual([1, 202, undefined]);
    expect([of(GUARDS_METADATA, Things), of(INTERCEPTORS_METADATA, get)]).toEqual([[expect.anything()], [expect.anything()]]);
  });

  test('arguments are stored under `<kind>:<index>`, kind 3 for bodies and 4 for queries', () => {
    const of = (name: string) => Reflect.getMetadata(ROUTE_ARGS_METADATA, Things, name) as Record<string, object>;
    expect(of('get')).toMatchObject({ '4:0': { index: 0, data: undefined, pipes: [] } });
    expect(of('create')).toMatchObject({ '3:0': { index: 0, data: 'name' }, '3:1': { index: 1, data: undefined } });
  });

  test('global guards run in the order of their providers; an interceptor that is added before init runs first', async () => {
    const module = {
      module: class {},
      controllers: [Things],
      providers: ['a', 'b'].map((name) => ({ provide: APP_GUARD, useValue: guard(name) })),
    };
    const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), { logger: false });
    const others = Reflect.getMetadata(INTERCEPTORS_METADATA, Things) as unknown[];
    Reflect.defineMetadata(INTERCEPTORS_METADATA, [noting('added'), ...others], Things);
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    order.length = 0;
    const { body } = await app.inject('/things/7');
    await app.close();
    expect([body, order]).toEqual(['thing', ['a', 'b', 'of the controller', 'added', 'controller', 'handler']]);
  });

  test('the pipes of a parameter are run by applyPipes, which gets its name', async () => {
    const { applyPipes } = PipesConsumer.prototype as unknown as { applyPipes: (...args: unknown[]) => Promise<unknown> };
    const refused = new Error('refused');
    const transform = jest.fn((..._: unknown[]) => Promise.reject(refused));
    const metadata = { metatype: Number, type: 'param', data: 'seats' };
    await expect(applyPipes('four', metadata, [{ transform }])).rejects.toBe(refused);
    expect(transform).toHaveBeenCalledWith('four', expect.objectContaining({ data: 'seats' }));
  });

  test('a missing provider is an UnknownDependenciesException with its class, its argument and its module', async () => {
    class Absent {}
    class Needy {
      constructor(readonly absent: Absent) {}
    }
    Reflect.defineMetadata('design:paramtypes', [Absent], Needy);
    class NeedyModule {}
    const module = { module: NeedyModule as Type, providers: [Needy] };
    const error = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false }).catch(
      (cause: unknown) => cause,
    );
    expect(error).toBeInstanceOf(UnknownDependenciesException);
    const { type, context, message } = error as UnknownDependenciesException;
    expect([type, context.index, context.dependencies]).toEqual(['Needy', 0, [Absent]]);
    expect(message).toContain('in the NeedyModule');
  });

  test('@nestjs/swagger keeps the names of the properties of a class', () => {
    class Dto {
      @ApiProperty({ type: () => Filter })
      part!: Filter;
    }
    expect(Reflect.getMetadata('swagger/apiModelPropertiesArray', Dto.prototype)).toEqual([':part']);
  });

  test('@nestjs/swagger resolves a lazy type by the name `type`, and finds arguments by the name of the function', async () => {
    class Part {
      @ApiProperty()
      name!: string;
    }
    class Whole {
      @ApiProperty({ type: () => Part })
      part!: Part;
    }
    @Controller('wholes')
    class Wholes {
      @Post()
      create(@Body() _body: Whole): void {
        // its arguments are read
      }
    }
    Reflect.defineMetadata('design:paramtypes', [Whole], Wholes.prototype, 'create');
    const app = await NestFactory.create({ module: class {}, controllers: [Wholes] }, new FastifyAdapter(), { logger: false });
    const documented = () => SwaggerModule.createDocument(app, new DocumentBuilder().build());
    const { components, paths } = documented();
    expect(components?.schemas?.Whole).toMatchObject({ properties: { part: { $ref: '#/components/schemas/Part' } } });
    expect(paths['/wholes'].post?.requestBody).toBeDefined();
    Object.defineProperty(Wholes.prototype.create, 'name', { value: 'other' });
    expect(documented().paths['/wholes'].post?.requestBody).toBeUndefined();
    await app.close();
  });

  test('the text of a guard that returns false is FORBIDDEN_MESSAGE', async () => {
    @Controller('refused')
    @UseGuards({ canActivate: () => false })
    class Refused {
      @Get() get(): string {
        return 'never';
      }
    }
    const module = { module: class {}, controllers: [Refused] };
    const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), { logger: false });
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    const answer = await app.inject('/refused');
    await app.close();
    expect([answer.statusCode, answer.json()]).toEqual([403, expect.objectContaining({ message: FORBIDDEN_MESSAGE })]);
  });

  test('in preview mode, only providers of the modules in InitializeOnPreviewAllowlist are constructed', async () => {
    const made: string[] = [];
    const provider = (name: string) => ({ provide: name, useFactory: () => made.push(name) });
    class Allowed {}
    class Other {}
    InitializeOnPreviewAllowlist.add(Allowed);
    const imports = [
      { module: Allowed, providers: [provider('allowed')] },
      { module: Other, providers: [provider('other')] },
    ];
    await NestFactory.createApplicationContext({ module: class {}, imports }, { logger: false, preview: true });
    expect(made).toEqual(['allowed']);
  });
});

describe('BullMQ', () => {
  test('PostgresConnection opens its clients with pgModule; getListenClient and waitUntilReady can be overridden', async () => {
    const opened: string[] = [];
    class Fake extends EventEmitter {
      connect = () => (opened.push('client'), Promise.resolve());
      end = () => Promise.resolve();
      query = () => Promise.resolve({ rows: [] });
    }
    const { prototype } = PostgresConnection;
    expect([typeof prototype.waitUntilReady, typeof prototype.getListenClient]).toEqual(['function', 'function']);
    const connection = new PostgresConnection({ connectionString: 'postgres://unused' } as never);
    Object.assign(connection, { pgModule: { Client: Fake } });
    jest.spyOn(connection, 'waitUntilReady').mockResolvedValue(undefined as never);
    expect(await connection.getListenClient()).toBeInstanceOf(Fake);
    expect(opened).toEqual(['client']);
  });

  test('Queue keeps its options in opts and waits with waitUntilReady; its backend has disconnectBlocking', async () => {
    const asked: string[] = [];
    class Ready extends PostgresConnection {
      override waitUntilReady(): Promise<void> {
        asked.push('ready');
        return Promise.resolve();
      }
    }
    const connection = { connectionString: 'postgres://unused' };
    const backend: BackendFactory = (name, options) =>
      new PostgresQueueBackend(new Ready(connection), name, { ...options, connection } as never);
    const queue = new Queue('probe', { connection: connection as never }, backend as never);
    await queue.waitUntilReady();
    expect([queue.opts.connection, asked.length > 0]).toEqual([connection, true]);
    expect(typeof PostgresQueueBackend.prototype.disconnectBlocking).toBe('function');
    await queue.close();
  });
});
