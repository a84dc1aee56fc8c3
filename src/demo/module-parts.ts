import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Store, type Ctx, type Secret } from '../kit/index.js';
import { ModuleRegistry } from '../platform/registry/module-registry.js';
import { inOneTransaction, SeedWorkspace, type DemoModule } from './seed-context.js';

/** A number series for each module: its first number is taken with the module's part, and lasts as long as the workspace. */
const SERIES = 'demo:';
/** The part of a workspace whose parts are noted. */
const NOTED = '';

export function demoModules(app: INestApplicationContext): DemoModule[] {
  return app.get(ModuleRegistry).manifests.filter((manifest): manifest is DemoModule => manifest.demo !== undefined);
}

/** In the order in which parts are created: a module may rely on those before it. */
export function inSeedOrder(modules: readonly DemoModule[]): DemoModule[] {
  return [...modules.filter(({ demo }) => !demo.last), ...modules.filter(({ demo }) => demo.last)];
}

/** Creates a module's part, unless the workspace has it. Runs inside the seed's transaction. */
export async function seedPart(app: INestApplicationContext, workspace: SeedWorkspace, module: DemoModule): Promise<void> {
  if (await takePart(app, workspace.asSystem(), module.name)) await workspace.seed(module);
}

/** Makes the test data of all parts again, in one transaction. There must be none: what remains could be made twice. */
export function seedTestData(app: INestApplicationContext, organizationId: string, fixed?: Secret): Promise<void> {
  return inOneTransaction(
    app,
    organizationId,
    async (ctx) => {
      const workspace = await SeedWorkspace.of(app, ctx, { isNew: false });
      for (const module of inSeedOrder(demoModules(app))) await workspace.seed(module);
    },
    fixed,
  );
}

/**
 * Creates the parts of the modules that were added to a workspace, each in a transaction of its own. A part may fail, because people
 * have changed the workspace: the suite starts without it, and tries again at the next start. Returns what to tell about it.
 */
export async function seedMissingParts(
  app: INestApplicationContext,
  organizationId: string,
  modulesWithKeys: ReadonlySet<string>,
  fixed?: Secret,
): Promise<string[]> {
  let parts = await partsOf(app, organizationId);
  if (!parts.has(NOTED)) {
    await inOneTransaction(app, organizationId, (ctx) => noteEarlierParts(app, ctx, modulesWithKeys));
    parts = await partsOf(app, organizationId);
  }
  const remarks: string[] = [];
  for (const module of inSeedOrder(demoModules(app).filter(({ name }) => !parts.has(name)))) {
    try {
      await inOneTransaction(
        app,
        organizationId,
        async (ctx) => {
          const workspace = await SeedWorkspace.of(app, ctx);
          await seedPart(app, workspace, module);
        },
        fixed,
      );
    } catch (error) {
      remarks.push(`The demo data of ${module.title} could not be created: ${(error as Error).message}`);
    }
  }
  return remarks;
}

/** Notes that the workspace has no parts yet. */
export async function noteWorkspace(app: INestApplicationContext, ctx: Ctx): Promise<void> {
  await takePart(app, ctx, NOTED);
}

/** Workspaces of versions that did not note parts have those of the modules with keys. */
async function noteEarlierParts(app: INestApplicationContext, ctx: Ctx, modulesWithKeys: ReadonlySet<string>): Promise<void> {
  const earlier = demoModules(app).filter(({ name }) => modulesWithKeys.has(name));
  for (const name of [NOTED, ...earlier.map((module) => module.name)]) await takePart(app, ctx, name);
}

async function partsOf(app: INestApplicationContext, organizationId: string): Promise<Set<string>> {
  const rows = await app
    .get(DataSource)
    .query<{ series: string }[]>(`SELECT series FROM counters WHERE organization_id = $1 AND series LIKE '${SERIES}%'`, [organizationId]);
  return new Set(rows.map(({ series }) => series.slice(SERIES.length)));
}

/** Whether this transaction is the first to create the part. */
async function takePart(app: INestApplicationContext, ctx: Ctx, name: string): Promise<boolean> {
  return (await app.get(Store).write(ctx, (tx) => tx.next(SERIES + name, null, { gapless: true }))) === 1;
}
