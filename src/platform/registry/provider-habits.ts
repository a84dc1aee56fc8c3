import type { Type } from '@nestjs/common';
import {
  MODULE_METADATA,
  OPTIONAL_DEPS_METADATA,
  OPTIONAL_PROPERTY_DEPS_METADATA,
  PARAMTYPES_METADATA,
  PROPERTY_DEPS_METADATA,
  SELF_DECLARED_DEPS_METADATA,
} from '@nestjs/common/constants.js';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, MetadataScanner } from '@nestjs/core';
import { getDataSourceToken, getEntityManagerToken, getRepositoryToken } from '@nestjs/typeorm';
import type { Manifest } from '../../kit/internal.js';

type Token = Type | string | symbol;

interface GivenProvider {
  provide?: unknown;
  useClass?: unknown;
  /** Of useFactory. */
  inject?: readonly (Token | { token: Token; optional: boolean })[];
}

/** Providers with these tokens would apply to the routes of all modules. */
const GLOBAL: ReadonlyMap<unknown, string> = new Map([
  [APP_GUARD, 'use @UseGuards on the controllers'],
  [APP_INTERCEPTOR, 'use @UseInterceptors on the controllers'],
  [APP_PIPE, 'use @UsePipes on the controllers'],
  [APP_FILTER, 'every error answers with the error envelope; declare errors with defineErrors'],
]);
/** Metadata of decorators that have no effect without a module of Nest's that the suite does not use. */
const INERT: Readonly<Record<string, string>> = {
  SCHEDULER_TYPE: '@Cron, @Interval and @Timeout would never run: write a handler with @ScheduledJob and list it in scheduledJobs',
  EVENT_LISTENER_METADATA: '@OnEvent would never run: write a handler with @Job and declare it as onInternalEvent',
  'bullmq:processor_metadata': '@Processor is not for modules: write a handler with @Job and list it in jobs',
};

/** Injections and decorators of Nest in a module's classes that do not do here what they do elsewhere, with what to write instead. */
export function providerHabits(manifest: Manifest, businessEntities: ReadonlyMap<Token, Type>): string[] {
  const { name, providers, controllers, imports = [], jobs = [], scheduledJobs = [], onInternalEvent } = manifest;
  const all: unknown[] = [
    ...providers,
    ...importedProviders(imports),
    ...controllers,
    ...jobs,
    ...scheduledJobs,
    ...(onInternalEvent ? [onInternalEvent] : []),
  ];
  const problems: string[] = [];
  for (const provider of all) {
    const { provide, useClass, inject = [] } = provider as GivenProvider;
    const global = GLOBAL.get(provide);
    if (global !== undefined) problems.push(`${String(provide)} would apply to the routes of all modules: ${global}`);
    const type = typeof provider === 'function' ? provider : useClass;
    if (typeof type === 'function') problems.push(...classHabits(type as Type, businessEntities));
    for (const dependency of inject) {
      const token = typeof dependency === 'object' ? dependency.token : dependency;
      const where = `the factory of ${typeof provide === 'function' ? provide.name : String(provide)}`;
      problems.push(...injectionHabits(token, where, businessEntities));
    }
  }
  return problems.map((problem) => `${name}: ${problem}`);
}

/** Middleware of Nest's modules, those that a module imports for itself included. */
export function middlewareHabits(module: Type): string[] {
  const imported = ((Reflect.getMetadata(MODULE_METADATA.IMPORTS, module) as unknown[] | undefined) ?? []).filter(
    (one): one is Type => typeof one === 'function',
  );
  const { configure } = module.prototype as { configure?: unknown };
  const mend = 'use @UseGuards or @UseInterceptors on the controllers, which run for an identified caller';
  return [
    ...(typeof configure === 'function'
      ? [`${module.name}.configure: middleware would run before the key is checked, on the routes of all modules: ${mend}`]
      : []),
    ...imported.flatMap(middlewareHabits),
  ];
}

/** The tokens of the repositories of entities whose rows belong to organizations. */
export function repositoryTokens(manifests: readonly Manifest[]): ReadonlyMap<Token, Type> {
  return new Map(manifests.flatMap(({ entities }) => entities.map((entity) => [getRepositoryToken(entity) as Token, entity] as const)));
}

/** Of modules that a module imports for itself. */
function importedProviders(imports: NonNullable<Manifest['imports']>): unknown[] {
  return imports.flatMap((imported) =>
    typeof imported === 'function'
      ? [
          ...((Reflect.getMetadata(MODULE_METADATA.PROVIDERS, imported) as unknown[] | undefined) ?? []),
          ...importedProviders((Reflect.getMetadata(MODULE_METADATA.IMPORTS, imported) as Manifest['imports']) ?? []),
        ]
      : [],
  );
}

function classHabits(type: Type, businessEntities: ReadonlyMap<Token, Type>): string[] {
  const problems = dependenciesOf(type).flatMap(([token, where]) => injectionHabits(token, where, businessEntities));
  for (const [key, mend] of Object.entries(INERT)) if (Reflect.hasMetadata(key, type)) problems.push(`${type.name}: ${mend}`);
  // a method has no metadata but its own: looking on what functions inherit takes most of the time
  for (const [where, method] of methodsOf(type))
    for (const [key, mend] of Object.entries(INERT)) if (Reflect.hasOwnMetadata(key, method)) problems.push(`${where}: ${mend}`);
  return problems;
}

/** `where` is the constructor, property or factory that injects the token. */
function injectionHabits(token: Token, where: string, businessEntities: ReadonlyMap<Token, Type>): string[] {
  const problems: string[] = [];
  const entity = businessEntities.get(token);
  if (entity) problems.push(`${where} injects the repository of ${entity.name}, which reads all organizations: inject Store`);
  if (token === getDataSourceToken() || token === getEntityManagerToken())
    problems.push(
      `${where} injects TypeORM's ${(token as Type).name}, which reads all organizations: inject Store, use tx.advanced.entityManager()`,
    );
  if (typeof token === 'function' && token.name === 'ConfigService')
    problems.push(`${where} injects ConfigService: declare the settings in the manifest, which validates them, and inject Settings`);
  return problems;
}

/** What a class injects, and where. */
export function dependenciesOf(type: Type): [token: Token, where: string, isOptional: boolean][] {
  const types = (Reflect.getMetadata(PARAMTYPES_METADATA, type) ?? []) as Token[];
  const declared = (Reflect.getMetadata(SELF_DECLARED_DEPS_METADATA, type) ?? []) as { index: number; param: Token }[];
  const properties = (Reflect.getMetadata(PROPERTY_DEPS_METADATA, type) ?? []) as { key: string; type: Token }[];
  const named = new Map(declared.map(({ index, param }) => [index, param]));
  const optional = (Reflect.getMetadata(OPTIONAL_DEPS_METADATA, type) ?? []) as number[];
  const optionalKeys = (Reflect.getMetadata(OPTIONAL_PROPERTY_DEPS_METADATA, type) ?? []) as string[];
  return [
    ...types.map((token, index): [Token, string, boolean] => [
      named.get(index) ?? token,
      `the constructor of ${type.name}`,
      optional.includes(index),
    ]),
    ...properties.map(({ key, type: token }): [Token, string, boolean] => [token, `${type.name}.${key}`, optionalKeys.includes(key)]),
  ];
}

function methodsOf(type: Type): [string, object][] {
  const prototype = type.prototype as Record<string, object>;
  return new MetadataScanner().getAllMethodNames(prototype).map((name) => [`${type.name}.${name}`, prototype[name]]);
}
