import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Controller, Get, Post, type Type } from '@nestjs/common';
import { Column, Entity } from 'typeorm';
import { createApp } from '../../src/app.js';
import {
  BaseEntity,
  CommonErrors,
  defineErrors,
  defineEvents,
  DomainModule,
  Endpoint,
  event,
  Field,
  Public,
  ResourceDto,
  type DomainModuleOptions,
} from '../../src/kit/index.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { createTestDatabase } from '../kit/test-database.js';

class ThingDto extends ResourceDto {
  @Field.constant('thing') object: string;
}

class Things {
  list(): never[] {
    return [];
  }
}

const READ = { scope: 'things:thing:read', operation: 'list_things', summary: 'List things', returns: ThingDto, list: true };

/** A controller with one route and the given decorators. */
function controller(path: string, ...decorators: MethodDecorator[]): Type {
  class OneRoute extends Things {
    override list(): never[] {
      return super.list();
    }
  }
  const descriptor = Object.getOwnPropertyDescriptor(OneRoute.prototype, 'list') as PropertyDescriptor;
  for (const decorate of [Get(), ...decorators]) decorate(OneRoute.prototype, 'list', descriptor);
  Controller(path)(OneRoute);
  return OneRoute;
}

/** A valid module with the given changes. */
function moduleOf(changes: Partial<DomainModuleOptions> = {}): Type {
  class ThingsModule {}
  DomainModule({
    name: 'things',
    title: 'Things',
    guide: 'Things.',
    scopes: { 'things:thing:read': 'Read things' },
    entities: [],
    providers: [],
    controllers: [controller('api/v1/ext/things/things', Endpoint(READ))],
    ...changes,
  })(ThingsModule);
  return ThingsModule;
}

@Entity('unscoped')
class Unscoped extends BaseEntity {
  @Column('text') name: string;
}

const conflicting = defineErrors({ duplicate: { code: 'duplicate', type: 'conflict_error', status: 400, message: 'Twice.' } });
const created = event({ name: 'thing.created', description: 'A thing was created.', payload: ThingDto });
const other = { name: 'others', scopes: { 'others:thing:read': 'Read' } };

const INVALID_MODULES: [string, () => Type[], RegExp][] = [
  [
    'a route without @Endpoint and @Public',
    () => [moduleOf({ controllers: [controller('api/v1/ext/things/things', Endpoint(READ)), controller('api/v1/ext/things/naked')] })],
    /OneRoute\.list \(GET \/api\/v1\/ext\/things\/naked\) declares neither @Endpoint nor @Public/,
  ],
  [
    'a keyed route without a scope',
    () => [
      moduleOf({
        controllers: [
          controller('api/v1/ext/things/things', Endpoint(READ)),
          controller('api/v1/ext/things/free', Endpoint({ ...READ, scope: undefined, operation: 'list_free' })),
        ],
      }),
    ],
    /things\/free\) is keyed but declares no scope/,
  ],
  [
    'a keyed route that is also public',
    () => [moduleOf({ controllers: [controller('api/v1/ext/things/things', Endpoint(READ), Public('because it is convenient'))] })],
    /things\/things\) is public, but declares the scope things:thing:read/,
  ],
  [
    'an operation that is declared twice',
    () => [
      moduleOf({
        controllers: [controller('api/v1/ext/things/things', Endpoint(READ)), controller('api/v1/ext/things/more', Endpoint(READ))],
      }),
    ],
    /the operation list_things is declared twice: GET \/api\/v1\/ext\/things\/things and GET \/api\/v1\/ext\/things\/more/,
  ],
  [
    'an operation that is not a valid tool name',
    () => [moduleOf({ controllers: [controller('api/v1/ext/things/things', Endpoint({ ...READ, operation: 'listThings' }))] })],
    /the operation "listThings" must be verb_noun/,
  ],
  [
    'a scope that no manifest declares',
    () => [
      moduleOf({
        controllers: [
          controller('api/v1/ext/things/things', Endpoint(READ)),
          controller('api/v1/ext/things/more', Endpoint({ ...READ, operation: 'list_more', scope: 'things:more:read' })),
        ],
      }),
    ],
    /the scope things:more:read of list_more is not declared/,
  ],
  [
    'a write that returns files',
    () => [
      moduleOf({
        controllers: [controller('api/v1/ext/things/things', Endpoint({ ...READ, produces: { 'text/csv': 'A table.' } }), Post())],
      }),
    ],
    /POST \/api\/v1\/ext\/things\/things\) returns files, which only a GET or a public route can/,
  ],
  [
    'a bareList that is not a field of the body',
    () => [moduleOf({ controllers: [controller('api/v1/ext/things/things', Endpoint({ ...READ, bareList: 'things' }), Post())] })],
    /bareList must be a list field of the body, but things is not/,
  ],
  [
    'a scope that no route needs',
    () => [moduleOf({ scopes: { 'things:thing:read': 'Read', 'things:thing:write': 'Write' } })],
    /the scope things:thing:write is declared, but no route requires it/,
  ],
  [
    'a scope that two modules declare',
    () => [moduleOf(), moduleOf({ name: 'others', controllers: [] })],
    /the scope things:thing:read is declared by things and by others/,
  ],
  [
    'an error code with different statuses',
    () => [moduleOf({ errors: conflicting })],
    /the error duplicate is 400 conflict_error in things, but 409 conflict_error in the platform/,
  ],
  [
    'an event that two modules declare',
    () => [moduleOf({ events: defineEvents({ created }) }), moduleOf({ ...other, controllers: [], events: defineEvents({ created }) })],
    /the event thing\.created is declared by things and by others/,
  ],
  ['an entity without a scoping', () => [moduleOf({ entities: [Unscoped] })], /the entity Unscoped has no @Scoped/],
  [
    'two modules with the same prefix',
    () => [moduleOf(), moduleOf({ ...other, prefix: 'things', controllers: [] })],
    /things and others both have the prefix things/,
  ],
  ['a prefix that is not a path segment', () => [moduleOf({ prefix: 'a/b' })], /things: the prefix "a\/b" must be lower-case letters/],
  ['two modules with the same name', () => [moduleOf(), moduleOf({ scopes: {}, controllers: [] })], /two modules are named things/],
];

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

const boot = (modules: Type[]) =>
  createApp({
    config: loadConfig({ NODE_ENV: 'test', DATA_DIR: process.env.TEST_DATA_DIR, LOG_LEVEL: 'silent' }),
    databaseUrl: database.url,
    modules,
    migrations: [],
  });

describe('boot', () => {
  test.each(INVALID_MODULES)('fails with the reason for %s', async (_, modules, reason) => {
    await expect(boot(modules())).rejects.toThrow(reason);
  });

  test('succeeds for the valid module', async () => {
    const app = await boot([moduleOf({ errors: { duplicate: CommonErrors.duplicate } })]);
    await app.close();
  });
});
