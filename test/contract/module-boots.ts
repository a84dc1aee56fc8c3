import { Controller, forwardRef, Get, Post, type Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Column, Entity } from 'typeorm';
import { createApp } from '../../src/app.js';
import {
  BaseEntity,
  BusinessEntity,
  CommonErrors,
  defineErrors,
  defineEvents,
  DomainModule,
  Endpoint,
  event,
  Field,
  Job,
  moduleSettings,
  Public,
  ResourceDto,
  type DomainModuleOptions,
  type InternalEvent,
  type JobHandler,
} from '../../src/kit/index.js';
import type { JobOptions, RetentionRule } from '../../src/kit/internal.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { ForgetfulModule, HastyModule } from './forgetful/forgetful.module.js';
import { HABITS } from './habit-boots.js';

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

@Entity('leads')
class LeadRow extends BusinessEntity {}

@Entity('generation_triggers')
class TriggerRow extends BusinessEntity {}

@Entity('others_rows')
class OthersRow extends BusinessEntity {}

const conflicting = defineErrors({ duplicate: { code: 'duplicate', type: 'conflict_error', status: 400, message: 'Twice.' } });
const rare = defineErrors({ rare: { code: 'rare', type: 'conflict_error', status: 409, message: 'Rare.' } });
const created = event({ name: 'thing.created', description: 'A thing was created.', permission: null, payload: ThingDto });
const MANAGE = { 'things.thing.manage': { title: 'Change things', roles: ['admin'] } } as const;
const other = { name: 'others', scopes: { 'others:thing:read': 'Read' } };

/** A module that injects what another exports, and that other one. */
function siblings({ uses }: { uses: boolean }): Type[] {
  class OthersModule {}
  DomainModule({ ...other, title: 'Others', guide: '', scopes: {}, entities: [], controllers: [], providers: [Things], exports: [Things] })(
    OthersModule,
  );
  class NeedsThings {}
  Reflect.defineMetadata('design:paramtypes', [Things], NeedsThings);
  return [moduleOf({ providers: [NeedsThings], uses: uses ? [OthersModule] : [] }), OthersModule];
}

class HearsThings implements JobHandler<InternalEvent> {
  run(): Promise<void> {
    return Promise.resolve();
  }
}
class Unlisted {
  setUpProject(): Promise<void> {
    return Promise.resolve();
  }
}
class OddJob extends HearsThings {}
Job({ name: 'things.hear_event' })(HearsThings);
Job({ name: 'others.count_things' })(OddJob);

/** The module beside another one that has the name `others`. */
function besideOthers(changes: Partial<DomainModuleOptions>): Type[] {
  return [moduleOf({ ...other, scopes: {}, controllers: [] }), moduleOf(changes)];
}

const MODULES: Record<string, () => Type[]> = {
  'nothing wrong': () => [
    moduleOf({
      entities: [LeadRow, TriggerRow],
      errors: { duplicate: CommonErrors.duplicate, ...rare },
      // a constraint, a unique index and the name that a trigger raises
      retention: [{ table: 'leads', column: 'id', columnType: 'uuidv7', keepDays: 9, where: 'converted_at IS NULL' }],
      events: { created },
      onInternalEvent: HearsThings,
      internalEvents: ['thing.created'],
      eventSubscriptions: { table: 'generation_triggers', where: 's.active' },
      constraints: {
        members_pkey: rare.rare,
        projects_default_key: { error: CommonErrors.duplicate, param: 'is_default' },
        leads_converted_at_key: CommonErrors.duplicate,
      },
    }),
  ],
  'a route without @Endpoint and @Public': () => [
    moduleOf({ controllers: [controller('api/v1/ext/things/things', Endpoint(READ)), controller('api/v1/ext/things/naked')] }),
  ],
  'a keyed route without a scope': () => [
    moduleOf({
      controllers: [
        controller('api/v1/ext/things/things', Endpoint(READ)),
        controller('api/v1/ext/things/free', Endpoint({ ...READ, scope: undefined, operation: 'list_free' })),
      ],
    }),
  ],
  'a keyed route that is also public': () => [
    moduleOf({ controllers: [controller('api/v1/ext/things/things', Endpoint(READ), Public('because it is convenient'))] }),
  ],
  'an operation that is declared twice': () => [
    moduleOf({
      controllers: [controller('api/v1/ext/things/things', Endpoint(READ)), controller('api/v1/ext/things/more', Endpoint(READ))],
    }),
  ],
  'a route for members too that exists already': () => {
    const member = { permission: null };
    return [
      moduleOf({
        controllers: [
          controller('api/v1/ext/things/things', Endpoint({ ...READ, member })),
          controller('api/v1/ext/things/things', Endpoint({ ...READ, member, operation: 'list_more' })),
        ],
      }),
    ];
  },
  'a route at an address of the platform': () => [
    moduleOf({
      controllers: [
        controller('api/v1/ext/things/things', Endpoint(READ)),
        controller('api/v1/ext/mcp', Endpoint({ ...READ, operation: 'list_more' })),
      ],
    }),
  ],
  'an operation that is not a valid tool name': () => [
    moduleOf({ controllers: [controller('api/v1/ext/things/things', Endpoint({ ...READ, operation: 'listThings' }))] }),
  ],
  'a scope that no manifest declares': () => [
    moduleOf({
      controllers: [
        controller('api/v1/ext/things/things', Endpoint(READ)),
        controller('api/v1/ext/things/more', Endpoint({ ...READ, operation: 'list_more', scope: 'things:more:read' })),
      ],
    }),
  ],
  'a misspelt permission of a route': () => [
    moduleOf({
      permissions: MANAGE,
      controllers: [
        controller('api/v1/ext/things/things', Endpoint(READ)),
        controller('api/v1/org/things', Endpoint({ ...READ, scope: undefined, operation: 'list_staff', permission: 'things.thing.mange' })),
      ],
    }),
  ],
  'a misspelt permission of a member twin': () => [
    moduleOf({ controllers: [controller('api/v1/ext/things/things', Endpoint({ ...READ, member: { permission: 'thing.manage' } }))] }),
  ],
  'a misspelt permission of a scope': () => [
    moduleOf({ permissions: MANAGE, scopePermissions: { 'things:thing:read': 'things.thing.maange' } }),
  ],
  'a misspelt permission of an event': () => [
    moduleOf({ events: defineEvents({ created: { ...created, permission: 'org.member.manage' } }) }),
  ],
  'settings that are injected but not listed': () => {
    class ThingSettings extends moduleSettings({}) {}
    class NeedsSettings {}
    Reflect.defineMetadata('design:paramtypes', [ThingSettings], NeedsSettings);
    return [moduleOf({ providers: [NeedsSettings] })];
  },
  'a module whose import has no line': () => {
    class OthersModule {}
    DomainModule({ ...other, title: 'Others', guide: '', scopes: {}, entities: [], controllers: [], providers: [] })(OthersModule);
    return [moduleOf({ imports: [OthersModule] })];
  },
  'an optional sibling that is not injected with @Optional': () => siblings({ uses: true }),
  'an undeclared sibling': () => siblings({ uses: false }),
  'a subject that links to no operation': () => [moduleOf({ apiOnly: [{ names: [['Things', 'create_org_thing']], text: 'all of them' }] })],
  'modules that import each other by forwardRef': () => {
    const [, others] = siblings({ uses: true });
    return [moduleOf({ imports: [forwardRef(() => others)] }), others];
  },
  'a table that two modules declare': () => {
    class TakenRow extends BusinessEntity {}
    Entity('others_rows')(TakenRow);
    return [moduleOf({ ...other, scopes: {}, controllers: [], entities: [OthersRow] }), moduleOf({ entities: [TakenRow] })];
  },
  'a path that two routes have': () => [
    moduleOf({
      controllers: [
        controller('api/v1/ext/things/things', Endpoint(READ)),
        controller('api/v1/ext/things/things', Endpoint({ ...READ, operation: 'list_more' })),
      ],
    }),
  ],
  'a permission that two modules declare': () => [
    moduleOf({ permissions: MANAGE }),
    moduleOf({ ...other, controllers: [], permissions: MANAGE }),
  ],
  'a permission of an unknown default role': () => [
    moduleOf({ permissions: { 'things.thing.manage': { title: 'Change things', roles: ['boss' as 'admin'] } } }),
  ],
  'a write that returns files': () => [
    moduleOf({
      controllers: [controller('api/v1/ext/things/things', Endpoint({ ...READ, produces: { 'text/csv': 'A table.' } }), Post())],
    }),
  ],
  'a dryRun of a write that can be tried out anyway': () => [
    moduleOf({ controllers: [controller('api/v1/ext/things/things', Endpoint({ ...READ, dryRun: true }), Post())] }),
  ],
  'a call that reaches outside with transactions of its own, which cannot be tried out': () => [
    moduleOf({
      controllers: [controller('api/v1/ext/things/things', Endpoint({ ...READ, openWorld: true, ownTransactions: true }), Post())],
    }),
  ],
  'a GET that reaches outside': () => [
    moduleOf({ controllers: [controller('api/v1/ext/things/things', Endpoint({ ...READ, openWorld: true }))] }),
  ],
  'a writesOnGet of another method': () => [
    moduleOf({ controllers: [controller('api/v1/ext/things/things', Endpoint({ ...READ, writesOnGet: 'Things' }), Post())] }),
  ],
  'a bareList that is not a field of the body': () => [
    moduleOf({ controllers: [controller('api/v1/ext/things/things', Endpoint({ ...READ, bareList: 'things' }), Post())] }),
  ],
  'a scope that no route needs': () => [moduleOf({ scopes: { 'things:thing:read': 'Read', 'things:thing:write': 'Write' } })],
  'a scope that two modules declare': () => [moduleOf(), moduleOf({ name: 'others', controllers: [] })],
  'an error code with different statuses': () => [moduleOf({ errors: conflicting })],
  'an error of a constraint that is not listed': () => [moduleOf({ constraints: { members_pkey: rare.rare } })],
  'a constraint that two modules declare': () => [
    moduleOf({ constraints: { members_pkey: CommonErrors.duplicate } }),
    moduleOf({ ...other, controllers: [], constraints: { members_pkey: CommonErrors.duplicate } }),
  ],
  'a constraint that no table has': () => [moduleOf({ constraints: { thing_span_excl: CommonErrors.duplicate } })],
  'an event that two modules declare': () => [
    moduleOf({ events: defineEvents({ created }) }),
    moduleOf({ ...other, controllers: [], events: defineEvents({ created }) }),
  ],
  'an event with a scope of no manifest': () => [
    moduleOf({ events: defineEvents({ created: { ...created, scope: 'things:more:write' } }) }),
  ],
  'an entity without a scoping': () => [moduleOf({ entities: [Unscoped] })],
  'an entity that no manifest lists': () => [ForgetfulModule],
  'an event that no manifest lists': () => [ForgetfulModule],
  'a provider that no manifest lists': () => [HastyModule],
  'two modules with the same prefix': () => [moduleOf(), moduleOf({ ...other, prefix: 'things', controllers: [] })],
  'retention of tables, columns and conditions that do not exist': () => [
    moduleOf({
      retention: [
        { table: 'leeds', column: 'created_at', keepDays: 9 },
        { table: 'leads', column: 'made_at', keepDays: 9 },
        { table: 'leads', column: 'created_at', keepDays: 9, where: 'convertd_at IS NULL' },
        { table: 'leads', column: 'id', keepDays: 9 },
        { table: 'leads', column: 'created_at', keepDays: 9, where: 'true) OR (true' },
        { table: 'leads', column: 'created_at', keepDays: 9, partitioned: true },
      ],
      onInternalEvent: HearsThings,
      eventSubscriptions: { table: 'thing_triggers', where: 's.active' },
    }),
  ],
  'retention of a table of another module': () => [
    moduleOf({ ...other, scopes: {}, controllers: [], entities: [OthersRow] }),
    moduleOf({ retention: [{ table: 'others_rows', column: 'created_at', keepDays: 9 }] }),
  ],
  'retention of a table of the platform': () => [moduleOf({ retention: [{ table: 'members', column: 'created_at', keepDays: 9 }] })],
  'retention for no or parts of days, or by empty batches': () => {
    const rule = { table: 'things', column: 'created_at' };
    const missing = { ...rule } as RetentionRule;
    const rules = [{ ...rule, keepDays: 0 }, { ...rule, keepDays: -1 }, { ...rule, keepDays: 1.5 }, missing];
    return [
      moduleOf({ retention: [...rules, { ...rule, keepDays: 9, batch: 0 }, { ...rule, keepDays: 9, wher: 'gone' } as RetentionRule] }),
    ];
  },
  'providers of a manifest that are not listed': () => [
    moduleOf({ projectSetup: Unlisted, brand: Unlisted as never, exports: [Unlisted] }),
  ],
  'document tokens that are declared incorrectly': () => [
    moduleOf({ documentTokens: { names: { 'Thing name': { type: 'money', description: ' ' } }, provider: Unlisted } as never }),
  ],
  'jobs with names that are none, or with no attempt': () => {
    class Nameless extends HearsThings {}
    Job({ name: 'Hear things', attempts: 0, atempts: 3 } as JobOptions)(Nameless);
    return [moduleOf({ jobs: [Nameless] })];
  },
  'a job named like one of the platform': () => {
    class Deliver extends HearsThings {}
    Job({ name: 'webhooks.deliver' })(Deliver);
    return [moduleOf({ jobs: [Deliver] })];
  },
  'an empty list of internal events': () => [moduleOf({ onInternalEvent: HearsThings, internalEvents: [] })],
  'a route below the prefix of another module': () =>
    besideOthers({ controllers: [controller('api/v1/ext/others/things', Endpoint(READ))] }),
  'synonyms of a word that no tool has': () => [moduleOf({ agentWords: { search: { thing: 'item', widget: 'gadget' } } })],
  'unknown keys inside a manifest and a route': () => [
    moduleOf({
      events: defineEvents({ created: { ...created, scop: 'things:thing:read' } as typeof created }),
      agentWords: { synonyms: {} } as never,
      keys: { limit: 5 } as never,
      permissions: { 'things.thing.view': { role: ['member'] } as never },
    }),
  ],
  'an unknown key of a route': () => [
    moduleOf({ controllers: [controller('api/v1/ext/things/things', Endpoint({ ...READ, sumary: 'List' } as typeof READ))] }),
  ],
  'unknown keys inside the options of a route': () => [
    moduleOf({
      controllers: [
        controller(
          'api/v1/ext/things/things',
          Endpoint({ ...READ, member: { permission: null, pth: '/x' } as never, lookup: { sections: 'things' } as never }),
        ),
      ],
    }),
  ],
  'conditions that are none': () => [
    moduleOf({
      retention: [
        { table: 'things', column: 'created_at', keepDays: 9, where: { archived: true } as never },
        { table: 'things', column: 'created_at', keepDays: 9, where: ' ' },
      ],
      onInternalEvent: HearsThings,
      eventSubscriptions: { table: 'thing_triggers' } as never,
    }),
  ],
  'internal events without a handler': () => [
    moduleOf({ events: { created }, internalEvents: ['thing.created'], eventSubscriptions: { table: 'leads', where: 'true' } }),
  ],
  'a job with the name of another module': () => besideOthers({ jobs: [OddJob] }),
  'a permission with the name of another module': () =>
    besideOthers({ permissions: { 'others.thing.manage': { title: 'Change things', roles: ['admin'] } } }),
  'a scope with the name of another module': () => besideOthers({ scopes: { 'others:thing:read': 'Read things' } }),
  'a route with a scope of another module': () => [
    moduleOf(),
    moduleOf({
      name: 'others',
      scopes: {},
      controllers: [controller('api/v1/ext/others/things', Endpoint({ ...READ, operation: 'list_others' }))],
    }),
  ],
  'a key that no manifest has': () => [moduleOf({ ...({ retentions: [] } as object) })],
  'an argument that no tool takes': () => [moduleOf({ agentWords: { arguments: { deadline: ['due_no'] } } })],
  'a prefix that is not a path segment': () => [moduleOf({ prefix: 'a/b' })],
  'two modules with the same name': () => [moduleOf(), moduleOf({ scopes: {}, controllers: [] })],
  ...HABITS,
};

/** Boots an application of the modules of that name. Returns why it failed, or null. */
export async function bootFailure(_app: NestFastifyApplication, name: string, databaseUrl: string): Promise<string | null> {
  const config = loadConfig({ NODE_ENV: 'test', DATA_DIR: process.env.TEST_DATA_DIR, LOG_LEVEL: 'silent' });
  try {
    const app = await createApp({ config, databaseUrl, modules: MODULES[name]() });
    await app.close();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
