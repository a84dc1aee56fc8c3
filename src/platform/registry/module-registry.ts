import type { Type } from '@nestjs/common';
import { getMetadataArgsStorage } from 'typeorm';
import type { EventDefinition, JobHandler } from '../../kit/index.js';
import {
  declareEvents,
  definitionOf,
  manifestOf,
  scopingOf,
  settingsOf,
  undeclaredIn,
  type ErrorSpec,
  type Manifest,
  type RetentionRule,
} from '../../kit/internal.js';
import { manifestProblems } from './manifest-problems.js';
import { shapeProblems } from './manifest-shapes.js';
import { PermissionRegistry, permissionProblems } from './permission-registry.js';
import { middlewareHabits, providerHabits, repositoryTokens } from './provider-habits.js';
import { refuseDeclarations } from './refused-declarations.js';
import { siblingProblems } from './sibling-problems.js';

/** The permissions, errors and events of the platform's own routes, the retention of its tables, and its jobs. */
export type Declarations = Required<Pick<Manifest, 'errors' | 'events' | 'permissions'>> & Pick<Manifest, 'retention' | 'jobs'>;

const NAME = /^[a-z][a-z0-9_]{1,30}$/;
const SCOPE = /^[a-z][a-z0-9_]*:[a-z][a-z0-9_]*:[a-z]+$/;
const EVENT = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/;

/** An event and the module that declares it; null for the platform. */
export interface DeclaredEvent {
  definition: EventDefinition;
  module: string | null;
}

/** An entry of the error catalog. */
export interface CatalogedError {
  spec: ErrorSpec;
  /** Identifies the entry on the page of errors: the code, with the module's name if others give the code another meaning. */
  anchor: string;
  /** The title of the module; null unless others give the code another meaning. */
  module: string | null;
}

const PLATFORM = 'the platform';

/** The manifests of all domain modules. Conflicts between them fail the boot. */
export class ModuleRegistry {
  readonly manifests: readonly Manifest[];
  /** One entry for each meaning of each code. */
  readonly errors: readonly CatalogedError[];
  readonly permissions: PermissionRegistry;
  private readonly owners = new Map<Type, Manifest>();
  private readonly anchors: ReadonlyMap<ErrorSpec, string>;

  constructor(
    modules: readonly Type[],
    private readonly platform: Declarations,
  ) {
    this.manifests = modules.map(manifestOf);
    for (const manifest of this.manifests) for (const controller of manifest.controllers) this.owners.set(controller, manifest);
    refuseDeclarations(this.manifests.flatMap(shapeProblems), this.manifests);
    declareEvents(platform.events);
    const declared = this.declaredErrors();
    const sources = [{ name: PLATFORM, title: PLATFORM, permissions: platform.permissions }, ...this.manifests];
    this.permissions = new PermissionRegistry(sources);
    const problems = [
      ...nameProblems(this.manifests),
      ...entityProblems(this.manifests),
      ...this.manifests.flatMap((manifest) => providerHabits(manifest, repositoryTokens(this.manifests))),
      ...modules.flatMap(middlewareHabits),
      ...undeclaredProblems(this.manifests),
      ...errorProblems(declared),
      ...constraintProblems(this.manifests, declared),
      ...eventProblems(this.events(), this.manifests),
      ...permissionProblems(sources),
      ...manifestProblems(this.manifests),
      ...settingProblems(this.manifests),
      ...onlyOneProblems(this.manifests, 'brand', 'the brand'),
      ...onlyOneProblems(this.manifests, 'mailTransport', 'the mail transport'),
      ...onlyOneProblems(this.manifests, 'fileStorage', 'the storage of files'),
      ...onlyOneProblems(this.manifests, 'aiModel', 'the AI model'),
      ...onlyOneProblems(this.manifests, 'paymentProvider', 'the provider of payments'),
      ...siblingProblems(modules),
      ...this.undeclaredPermissions(),
    ];
    refuseDeclarations(problems, this.manifests);
    this.errors = catalogOf(declared, this.manifests);
    this.anchors = new Map(this.errors.map(({ spec, anchor }) => [spec, anchor]));
  }

  /** Routes and pages are checked where they are read. */
  private undeclaredPermissions(): string[] {
    const required = [
      ...this.manifests.flatMap(({ name, scopePermissions = {} }) =>
        Object.entries(scopePermissions).map(([scope, permission]) => ({ by: `${name}: the scope ${scope}`, permission })),
      ),
      ...this.manifests.flatMap(({ name, keys }) =>
        Object.values<string>(keys?.permissions ?? {}).map((permission) => ({ by: `${name}: keys`, permission })),
      ),
      ...this.events().map(({ definition, module }) => ({
        by: `${module ?? PLATFORM}: the event ${definition.name}`,
        permission: definition.permission,
      })),
    ];
    return required.flatMap(({ by, permission }) =>
      permission === null || this.permissions.has(permission) ? [] : [`${by} requires ${this.permissions.undeclared(permission)}`],
    );
  }

  ownerOf(controller: Type): Manifest | undefined {
    return this.owners.get(controller);
  }

  /** Descriptions by scope. */
  scopes(): ReadonlyMap<string, string> {
    return new Map(this.manifests.flatMap(({ scopes }) => Object.entries(scopes)));
  }

  /** The entry of an error on the page of errors; null for a code that a handler makes up. */
  anchorOf(spec: ErrorSpec): string | null {
    return this.anchors.get(spec) ?? (this.errors.some((error) => error.spec.code === spec.code) ? spec.code : null);
  }

  /** The retention rules of the platform and of all modules. */
  retention(): readonly RetentionRule[] {
    return [this.platform, ...this.manifests].flatMap(({ retention }) => retention ?? []);
  }

  /** The handlers of the jobs of the platform and of all modules. */
  jobs(): readonly Type<JobHandler<never>>[] {
    return [
      ...(this.platform.jobs ?? []),
      ...this.manifests.flatMap(({ jobs, onInternalEvent }) => [...(jobs ?? []), ...(onInternalEvent ? [onInternalEvent] : [])]),
    ];
  }

  events(): readonly DeclaredEvent[] {
    const declared = ({ events }: Pick<Manifest, 'events'>, module: string | null): DeclaredEvent[] =>
      Object.values<EventDefinition>(events ?? {}).map((definition) => ({ definition, module }));
    return [...declared(this.platform, null), ...this.manifests.flatMap((manifest) => declared(manifest, manifest.name))];
  }

  /** Each error with its declarer, once, although several may list it. */
  private declaredErrors(): [string, ErrorSpec][] {
    const listed = ({ errors }: Pick<Manifest, 'errors'>, by: string): [ErrorSpec, string][] =>
      Object.values(errors ?? {}).map(({ spec }) => [spec, by]);
    const all = [...this.manifests.flatMap((manifest) => listed(manifest, manifest.name)), ...listed(this.platform, PLATFORM)];
    return [...new Map(all)].map(([spec, by]) => [by, spec]);
  }
}

function nameProblems(manifests: readonly Manifest[]): string[] {
  const problems: string[] = [];
  const names = new Set<string>();
  const prefixes = new Map<string, string>();
  const scopes = new Map<string, string>();
  for (const manifest of manifests) {
    const { name, prefix } = manifest;
    if (!NAME.test(name)) problems.push(`the name "${name}" must be lower-case letters, digits and underscores`);
    if (names.has(name)) problems.push(`two modules are named ${name}`);
    names.add(name);
    if (!NAME.test(prefix)) problems.push(`${name}: the prefix "${prefix}" must be lower-case letters, digits and underscores`);
    const sharing = prefixes.get(prefix);
    if (sharing !== undefined && sharing !== name)
      problems.push(`${sharing} and ${name} both have the prefix ${prefix}: choose another one`);
    prefixes.set(prefix, name);
    for (const scope of Object.keys(manifest.scopes)) {
      if (!SCOPE.test(scope)) problems.push(`${name}: the scope "${scope}" must be module:resource:verb`);
      const other = scopes.get(scope);
      if (other) problems.push(`the scope ${scope} is declared by ${other} and by ${name}: choose another name`);
      scopes.set(scope, name);
    }
    for (const scope of Object.keys(manifest.scopePermissions ?? {}))
      if (!(scope in manifest.scopes)) problems.push(`${name}: scopePermissions names ${scope}, which is not a scope of the module`);
  }
  return problems;
}

/** Nest would only say that it cannot resolve a dependency. */
function settingProblems(manifests: readonly Manifest[]): string[] {
  return manifests.flatMap(({ name, settings = [], providers, controllers, jobs = [], scheduledJobs = [] }) =>
    [...providers, ...controllers, ...jobs, ...scheduledJobs]
      .filter((user): user is Type => typeof user === 'function')
      .flatMap((user) =>
        ((Reflect.getMetadata('design:paramtypes', user) ?? []) as Type[])
          .filter((type) => settingsOf(type) !== undefined && !settings.includes(type))
          .map((type) => `${name}: ${user.name} injects ${type.name}, which the manifest does not list in settings`),
      ),
  );
}

function onlyOneProblems(
  manifests: readonly Manifest[],
  key: 'brand' | 'mailTransport' | 'fileStorage' | 'aiModel' | 'paymentProvider',
  what: string,
): string[] {
  const [first, ...others] = manifests.filter((manifest) => manifest[key]);
  return others.map(({ name }) => `${name}: ${what} is that of ${first.name}; only one module can have it`);
}

/** The store rejects such an entity too, but only when it is first used. */
function entityProblems(manifests: readonly Manifest[]): string[] {
  return [...unscopedProblems(manifests), ...tableProblems(manifests)];
}

function tableProblems(manifests: readonly Manifest[]): string[] {
  const owners = new Map<string, string>();
  const names = new Map(getMetadataArgsStorage().tables.map(({ target, name }) => [target, name]));
  return manifests.flatMap(({ name, entities }) =>
    entities.flatMap((entity) => {
      const table = names.get(entity);
      const other = table === undefined ? undefined : owners.get(table);
      if (table !== undefined) owners.set(table, name);
      if (other === undefined || other === name) return [];
      return [`the table ${table} is declared by ${other} and by ${name}, as ${entity.name}: choose another name`];
    }),
  );
}

function unscopedProblems(manifests: readonly Manifest[]): string[] {
  return manifests.flatMap(({ name, entities }) =>
    entities
      .filter((entity) => !scopingOf(entity))
      .map(
        (entity) => `${name}: the entity ${entity.name} has no @Scoped; extend BusinessEntity, ConfigurationEntity or OrganizationEntity`,
      ),
  );
}

/** Nothing would know an event that no manifest lists, and the store rejects such an entity when it is first used. */
function undeclaredProblems(manifests: readonly Manifest[]): string[] {
  return manifests.flatMap(({ name, folder, entities, events = {} }) =>
    folder === null
      ? []
      : undeclaredIn(folder, new Set([...entities, ...Object.values(events)])).map(
          (definition) => `${name}: ${definition} is not listed in the manifest`,
        ),
  );
}

function catalogOf(declared: readonly [string, ErrorSpec][], manifests: readonly Manifest[]): CatalogedError[] {
  return declared.map(([by, spec]) => {
    const isShared = declared.some(([, other]) => other !== spec && other.code === spec.code);
    if (by === PLATFORM && spec.of) return { spec, anchor: `${spec.code}-${spec.of}`, module: 'API keys' };
    if (!isShared || by === PLATFORM) return { spec, anchor: spec.code, module: null };
    return { spec, anchor: `${spec.code}-${by}`, module: manifests.find(({ name }) => name === by)?.title ?? by };
  });
}

function errorProblems(errors: readonly [string, ErrorSpec][]): string[] {
  const problems: string[] = [];
  const seen = new Map<string, [string, ErrorSpec]>();
  for (const [name, spec] of errors) {
    if (name === PLATFORM && spec.of) continue;
    const other = seen.get(spec.code);
    if (other?.[0] === name) problems.push(`${name}: the error ${spec.code} is declared twice: choose another code`);
    if (other && (other[1].status !== spec.status || other[1].type !== spec.type)) {
      problems.push(
        `${name === PLATFORM ? other[0] : name}: the error ${spec.code} is ${other[1].status} ${other[1].type} in ${other[0]}, ` +
          `but ${spec.status} ${spec.type} in ${name}: choose another code`,
      );
    }
    seen.set(spec.code, [name, spec]);
  }
  return problems;
}

function constraintProblems(manifests: readonly Manifest[], errors: readonly [string, ErrorSpec][]): string[] {
  const problems: string[] = [];
  const listed = new Set(errors.map(([, spec]) => spec));
  const owners = new Map<string, string>();
  for (const { name, constraints = {} } of manifests) {
    for (const [constraint, error] of Object.entries(constraints)) {
      const other = owners.get(constraint);
      if (other) problems.push(`the constraint ${constraint} is declared by ${other} and by ${name}: choose another name`);
      owners.set(constraint, name);
      const { spec } = definitionOf(error);
      if (!listed.has(spec)) problems.push(`${name}: the error ${spec.code} of the constraint ${constraint} is not listed in errors`);
    }
  }
  return problems;
}

function eventProblems(events: readonly DeclaredEvent[], manifests: readonly Manifest[]): string[] {
  const problems: string[] = [];
  const seen = new Map<string, string>();
  for (const { definition, module } of events) {
    const name = module ?? 'the platform';
    if (!EVENT.test(definition.name)) problems.push(`${name}: the event "${definition.name}" must be noun.verb_in_past`);
    const other = seen.get(definition.name);
    if (other) problems.push(`the event ${definition.name} is declared by ${other} and by ${name}: choose another name`);
    seen.set(definition.name, name);
    const { scope } = definition;
    const scopes = manifests.find((manifest) => manifest.name === module)?.scopes ?? {};
    if (scope !== undefined && !(scope in scopes))
      problems.push(`${name}: the event ${definition.name} names the scope ${scope}, which is not a scope of the module`);
  }
  return problems;
}
