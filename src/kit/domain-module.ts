import { applyDecorators, Module, type ModuleMetadata, type Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { ErrorDefinition } from './errors.js';
import type { EventDefinition, InternalEvent } from './events.js';
import type { JobHandler } from './jobs.js';
import type { ProjectSetup } from './people.js';
import type { SweepHandler } from './sweeps.js';

/** A module's manifest: all that the platform has to know of it. */
export interface DomainModuleOptions {
  /** What keys, tags, guides and people call it. */
  name: string;
  /** The path segment after `/api/v1/ext/` and the first part of its scopes; the name unless given. */
  prefix?: string;
  /** A few words for people: the name on the consent page and in the docs. */
  title: string;
  /** How an agent works with the module: what it is for, the usual order of calls, states. Markdown. */
  guide: string;
  /** Scope to a line in plain words, for example `{ 'notes:note:read': 'Read notes' }`. */
  scopes: Readonly<Record<string, string>>;
  entities: readonly Type[];
  controllers: readonly Type[];
  providers: NonNullable<ModuleMetadata['providers']>;
  imports?: ModuleMetadata['imports'];
  exports?: ModuleMetadata['exports'];
  errors?: Readonly<Record<string, ErrorDefinition>>;
  events?: Readonly<Record<string, EventDefinition>>;
  /** Handlers of the module's jobs, each with `@Job`. */
  jobs?: readonly Type<JobHandler<never>>[];
  /** Handlers of what falls due by time alone, each with `@Sweep`. */
  sweeps?: readonly Type<SweepHandler>[];
  /**
   * A handler with `@Job`; listed here and nowhere else. A job of it is added for every internal event of any module, in the
   * transaction of the event, and runs in the name of whoever caused it.
   */
  onInternalEvent?: Type<JobHandler<InternalEvent>>;
  /** One of the providers; called for every new project. */
  projectSetup?: Type<ProjectSetup>;
}

/** A manifest as it is read: with what was left out filled in. */
export type Manifest = DomainModuleOptions & { readonly prefix: string };

const MANIFEST = Symbol('manifest');

/** Makes a class a domain module. Add it to `src/modules.ts`; that is all. */
export function DomainModule(options: DomainModuleOptions): ClassDecorator {
  return applyDecorators(
    Module({
      imports: [TypeOrmModule.forFeature([...options.entities]), ...(options.imports ?? [])],
      controllers: [...options.controllers],
      providers: [
        ...options.providers,
        ...(options.jobs ?? []),
        ...(options.sweeps ?? []),
        ...(options.onInternalEvent ? [options.onInternalEvent] : []),
      ],
      exports: options.exports,
    }),
    (target: object) => Reflect.defineMetadata(MANIFEST, Object.freeze({ ...options, prefix: options.prefix ?? options.name }), target),
  ) as ClassDecorator;
}

export function manifestOf(module: Type): Manifest {
  const manifest = Reflect.getMetadata(MANIFEST, module) as Manifest | undefined;
  if (!manifest) throw new Error(`${module.name} is in the list of modules but has no @DomainModule.`);
  return manifest;
}
