import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Ctx, DemoMember, DemoProject, Mode, ModuleDemo, Secret } from '../kit/index.js';
import type { CreateApiKeyDto } from '../platform/keys/api-keys.dto.js';
import { ApiKeysService } from '../platform/keys/api-keys.service.js';
import type { DemoKey } from './demo-file.js';
import type { Manifest } from '../kit/internal.js';
import { derivedSecret, hashSecret } from '../platform/keys/key-secret.js';
import { DEVELOPER } from '../platform/keys/scope-catalog.js';
import { ModuleRegistry } from '../platform/registry/module-registry.js';

const MODES: readonly Mode[] = ['test', 'live'];

/** The role and modes of keys that are bound to a member. */
const BOUND: Required<ModuleDemo>['boundKeys'] = { role: 'developer', modes: ['test'] };

/** Those that read the events of all modules. */
const BOUND_TO_OWNER = { ...BOUND, role: 'owner' };

/**
 * Creates keys for each module without keys: test and live, read-only and full, one bound to a project, one to a member. With a seed, their
 * secrets follow from it.
 */
export async function issueKeys(
  app: INestApplicationContext,
  ctx: Ctx,
  projects: readonly DemoProject[],
  members: readonly DemoMember[],
  modulesWithKeys: ReadonlySet<string>,
  seed?: Secret,
): Promise<DemoKey[]> {
  const service = app.get(ApiKeysService);
  const issued: DemoKey[] = [];
  for (const module of app.get(ModuleRegistry).manifests.filter(({ name }) => !modulesWithKeys.has(name))) {
    for (const body of keysOf(module, projects, members)) {
      const fixed = seed && derivedSecret(body.mode, `${seed.reveal()} ${body.name}`);
      const { key, secret } = await service.create(ctx, body, 'cli', fixed);
      const actor = members.find(({ id }) => id === key.actor_member_id);
      issued.push({
        name: key.name,
        module: key.module,
        mode: key.mode,
        secret,
        scopes: key.scopes,
        project_id: key.project_id,
        actor_email: actor?.email ?? null,
      });
    }
  }
  return issued;
}

/** Gives stored keys the scopes that their modules have added since, such as those of a new resource. Changes the list. */
export async function addNewScopes(
  app: INestApplicationContext,
  ctx: Ctx,
  stored: readonly DemoKey[],
  projects: readonly DemoProject[],
  members: readonly DemoMember[],
): Promise<void> {
  const service = app.get(ApiKeysService);
  const wanted = new Map(
    app
      .get(ModuleRegistry)
      .manifests.flatMap((module) => keysOf(module, projects, members))
      .map(({ module, name, scopes }) => [`${module} ${name}`, scopes]),
  );
  for (const key of stored) {
    const added = wanted.get(`${key.module} ${key.name}`)?.filter((scope) => !key.scopes.includes(scope)) ?? [];
    if (added.length === 0) continue;
    const [found] = await app.get(DataSource).query<{ id: string; scopes: string[] }[]>(
      `SELECT k.id, k.scopes FROM api_keys k JOIN api_key_secrets s ON s.api_key_id = k.id
         WHERE s.hash = $1 AND k.organization_id = $2 AND k.status <> 'revoked'`,
      [hashSecret(key.secret), ctx.organizationId],
    );
    if (!found) continue;
    // a key that somebody has narrowed keeps its other scopes only
    await service.update(ctx, found.id, { scopes: [...new Set([...found.scopes, ...added])] });
    key.scopes.push(...added);
  }
}

function keysOf(module: Manifest, [project]: readonly DemoProject[], members: readonly DemoMember[]): CreateApiKeyDto[] {
  const { name, title } = module;
  const all = Object.keys(module.scopes);
  const readScopes = all.filter((scope) => scope.endsWith(':read'));
  const keys: CreateApiKeyDto[] = MODES.flatMap((mode) => [
    ...(readScopes.length > 0 && readScopes.length < all.length
      ? [{ name: `${title}, ${mode}, read-only`, module: name, mode, scopes: readScopes }]
      : []),
    { name: `${title}, ${mode}, full`, module: name, mode, scopes: all },
  ]);
  if (project)
    keys.push({ name: `${title}, test, full, only ${project.key}`, module: name, mode: 'test', scopes: all, project_id: project.id });
  const bound = module.demo?.boundKeys ?? (name === DEVELOPER ? BOUND_TO_OWNER : BOUND);
  const actor = members.find(({ role }) => role === bound.role) ?? members[0];
  if (actor)
    keys.push(
      ...bound.modes.map((mode) => ({
        name: `${title}, ${mode}, full, for ${actor.email}`,
        module: name,
        mode,
        scopes: all,
        actor_user_id: actor.id,
      })),
    );
  return keys;
}

/** The modules with a key of the organization, revoked ones included. */
export async function modulesWithKeys(app: INestApplicationContext, { organizationId }: Ctx): Promise<Set<string>> {
  const rows = await app
    .get(DataSource)
    .query<{ module: string }[]>('SELECT DISTINCT module FROM api_keys WHERE organization_id = $1', [organizationId]);
  return new Set(rows.map(({ module }) => module));
}
