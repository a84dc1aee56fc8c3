import { randomBytes } from 'node:crypto';
import { Global, Injectable, Module, type DynamicModule, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Ctx, Mode, Project } from '../../src/kit/index.js';
import { createTestDatabase } from './test-database.js';
import { PASSWORD } from './workspace.js';

// The product is imported when it is needed: most test files do not.

const NONE: ReadonlySet<string> = new Set();

/** An organization for a unit test, with two projects. */
export interface TestOrganization {
  organizationId: string;
  ownerId: string;
  eng: Project;
  ops: Project;
  /** The context of the owner; with `project`, of a key that is pinned to it. */
  ctx(options?: { mode?: Mode; project?: Project }): Ctx;
}

/**
 * Creates organizations; get it from the testing module.
 *
 * @example
 * ```ts
 * import type { TestingModule } from '@nestjs/testing';
 * import { TestOrganizations } from 'work-suite/testing';
 *
 * export async function pinnedCaller(suite: TestingModule) {
 *   const { ctx, ops } = await suite.get(TestOrganizations).create();
 *   return ctx({ mode: 'test', project: ops });
 * }
 * ```
 */
@Injectable()
export class TestOrganizations {
  constructor(private readonly moduleRef: ModuleRef) {}

  async create(): Promise<TestOrganization> {
    const { CallContext } = await import('../../src/platform/persistence/transactions/call-context.js');
    const { createOrganization } = await import('./people.js');
    const email = `owner-${randomBytes(5).toString('hex')}@example.com`;
    const found = { get: <T>(type: Type<T>) => this.moduleRef.get<T>(type, { strict: false }) };
    const { organizationId, ownerId, eng, ops } = await createOrganization(found, email, { email, name: 'Olga Owner', password: PASSWORD });
    const actor = { type: 'user' as const, id: ownerId, email };
    return {
      organizationId,
      ownerId,
      eng,
      ops,
      ctx: ({ mode = 'live', project } = {}) =>
        new CallContext(null, organizationId, project?.id ?? null, mode, actor, ownerId, NONE, NONE),
    };
  }
}

@Global()
@Module({})
class TestDatabaseModule {}

/**
 * Everything that modules inject (`Store`, `Projects`, `Members`, `Settings`, `Mails` and the rest), on a database of the test's own, for
 * unit tests of services with Nest's testing module. Providers are replaced with `overrideProvider` as usual. Nothing listens and no job
 * runs; `describeModule` tests routes.
 *
 * @example
 * ```ts
 * import { Test } from '@nestjs/testing';
 * import { SuiteTestingModule, TestOrganizations } from 'work-suite/testing';
 * import { FleetModule } from './src/modules/fleet/fleet.module.js';
 * import { TripsService } from './src/modules/fleet/trips.service.js';
 *
 * const suite = await Test.createTestingModule({ imports: [SuiteTestingModule.forTest(FleetModule)] }).compile();
 * const { ctx, eng } = await suite.get(TestOrganizations).create();
 * const trip = await suite.get(TripsService, { strict: false }).start(ctx(), { project_id: eng.id });
 * await suite.close();
 * ```
 */
@Module({})
export class SuiteTestingModule {
  static async forTest(...modules: Type[]): Promise<DynamicModule> {
    const { AppModule } = await import('../../src/app.module.js');
    const { loadConfig } = await import('../../src/platform/config/config.js');
    const { url, drop } = await createTestDatabase();
    const config = loadConfig({ NODE_ENV: 'test', DATA_DIR: process.env.TEST_DATA_DIR, LOG_LEVEL: 'fatal', DATABASE_POOL_SIZE: '5' });
    const dropped: OnApplicationShutdown = { onApplicationShutdown: drop };
    return {
      module: SuiteTestingModule,
      imports: [
        // created first and so shut down last, when nothing is connected any more
        { module: TestDatabaseModule, providers: [{ provide: 'database', useValue: dropped }] },
        AppModule.register({ config, databaseUrl: url, modules }),
      ],
      providers: [TestOrganizations],
      exports: [TestOrganizations],
    };
  }
}
