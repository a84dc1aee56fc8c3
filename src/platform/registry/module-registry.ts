import { Inject, Injectable, type Type } from '@nestjs/common';
import { manifestOf, scopingOf, type ErrorSpec, type EventDefinition, type Manifest } from '../../kit/index.js';
import { PLATFORM_ERRORS } from './platform-errors.js';
import { PLATFORM_EVENTS } from './platform-events.js';

/** Injection token of the list in `src/modules.ts`. */
export const DOMAIN_MODULES = Symbol('DOMAIN_MODULES');

const NAME = /^[a-z][a-z0-9_]{1,30}$/;
const SCOPE = /^[a-z][a-z0-9_]*:[a-z][a-z0-9_]*:[a-z]+$/;
const EVENT = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/;

/** An event with the module that declares it; null for the platform's own. */
export interface DeclaredEvent {
  definition: EventDefinition;
  module: string | null;
}

/** All domain modules' manifests; conflicts between them stop the boot. */
@Injectable()
export class ModuleRegistry {
  readonly manifests: readonly Manifest[];
  private readonly owners = new Map<Type, Manifest>();

  constructor(@Inject(DOMAIN_MODULES) modules: readonly Type[]) {
    this.manifests = modules.map(manifestOf);
    for (const manifest of this.manifests) for (const controller of manifest.controllers) this.owners.set(controller, manifest);
    const problems = [
      ...nameProblems(this.manifests),
      ...entityProblems(this.manifests),
      ...errorProblems(this.manifests),
      ...eventProblems(this.manifests),
    ];
    if (problems.length > 0) throw new Error(`The modules do not fit together:\n- ${problems.join('\n- ')}`);
  }

  ownerOf(controller: Type): Manifest | undefined {
    return this.owners.get(controller);
  }

  /** Every scope with its line in plain words. */
  scopes(): ReadonlyMap<string, string> {
    return new Map(this.manifests.flatMap(({ scopes }) => Object.entries(scopes)));
  }

  /** The error catalogue by code; of a code that several modules use, one entry. */
  errors(): ReadonlyMap<string, ErrorSpec> {
    return new Map(allErrors(this.manifests).map(([, spec]) => [spec.code, spec]));
  }

  events(): readonly DeclaredEvent[] {
    return allEvents(this.manifests);
  }
}

function allErrors(manifests: readonly Manifest[]): [string, ErrorSpec][] {
  const common = Object.values(PLATFORM_ERRORS).map(({ spec }): [string, ErrorSpec] => ['the platform', spec]);
  return [
    ...manifests.flatMap(({ name, errors }) => Object.values(errors ?? {}).map(({ spec }): [string, ErrorSpec] => [name, spec])),
    ...common,
  ];
}

function allEvents(manifests: readonly Manifest[]): DeclaredEvent[] {
  const own = Object.values<EventDefinition>(PLATFORM_EVENTS).map((definition) => ({ definition, module: null }));
  return [
    ...own,
    ...manifests.flatMap(({ name, events }) =>
      Object.values<EventDefinition>(events ?? {}).map((definition) => ({ definition, module: name })),
    ),
  ];
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
    if (sharing !== undefined && sharing !== name) problems.push(`${sharing} and ${name} both have the prefix ${prefix}`);
    prefixes.set(prefix, name);
    for (const scope of Object.keys(manifest.scopes)) {
      if (!SCOPE.test(scope)) problems.push(`${name}: the scope "${scope}" must be module:resource:verb`);
      const other = scopes.get(scope);
      if (other) problems.push(`the scope ${scope} is declared by ${other} and by ${name}`);
      scopes.set(scope, name);
    }
  }
  return problems;
}

/** The store refuses such an entity too, but only when it is first used. */
function entityProblems(manifests: readonly Manifest[]): string[] {
  return manifests.flatMap(({ name, entities }) =>
    entities
      .filter((entity) => !scopingOf(entity))
      .map(
        (entity) => `${name}: the entity ${entity.name} has no @Scoped; extend BusinessEntity, ConfigurationEntity or OrganizationEntity`,
      ),
  );
}

function errorProblems(manifests: readonly Manifest[]): string[] {
  const problems: string[] = [];
  const seen = new Map<string, [string, ErrorSpec]>();
  for (const [name, spec] of allErrors(manifests)) {
    const other = seen.get(spec.code);
    if (other && (other[1].status !== spec.status || other[1].type !== spec.type)) {
      problems.push(
        `the error ${spec.code} is ${other[1].status} ${other[1].type} in ${other[0]}, but ${spec.status} ${spec.type} in ${name}`,
      );
    }
    seen.set(spec.code, [name, spec]);
  }
  return problems;
}

function eventProblems(manifests: readonly Manifest[]): string[] {
  const problems: string[] = [];
  const seen = new Map<string, string>();
  for (const { definition, module } of allEvents(manifests)) {
    const name = module ?? 'the platform';
    if (!EVENT.test(definition.name)) problems.push(`${name}: the event "${definition.name}" must be noun.verb_in_past`);
    const other = seen.get(definition.name);
    if (other) problems.push(`the event ${definition.name} is declared by ${other} and by ${name}`);
    seen.set(definition.name, name);
  }
  return problems;
}
