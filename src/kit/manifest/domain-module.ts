import { applyDecorators, Module, type ModuleMetadata, type Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { AgentWords } from './agent-words.js';
import type { ConsolePage } from './console-page.js';
import type { ConsoleSubject } from './console-subject.js';
import { contextLookup } from '../routes/context-lookup.js';
import { customFieldLookup } from '../routes/custom-field-lookup.js';
import { customFieldResource } from '../store/custom-fields.js';
import type { ModuleDemo } from './demo.js';
import type { DocumentationPage } from './documentation.js';
import type { EventTriggers } from './event-triggers.js';
import { declareHooks, type BeforeWriteHandler } from '../store/before-write.js';
import { declareEvents, manifestFile } from '../store/definitions.js';
import { declareConstraints, type ConstraintError } from '../errors/constraint-errors.js';
import type { ErrorDefinition } from '../errors/errors.js';
import type { EventDefinition } from '../store/events.js';
import type { EventListener, JobHandler } from '../services/jobs.js';
import { memberControllers } from '../routes/member-routes.js';
import { requireOperations, restoreControllers } from '../routes/restore-routes.js';
import { declareRestorable, declareUndos, type Restorable, type Undo } from '../store/restorable.js';
import type { LegalHold } from './legal-hold.js';
import type { ModuleKeys } from './module-keys.js';
import {
  anything,
  classes,
  named,
  namedLists,
  namedTexts,
  object,
  objects,
  oneClass,
  required,
  requireMembers,
  settingsClasses,
  text,
  textOrObject,
  texts,
  type Member,
} from './manifest-members.js';
import type { PersonalData } from './personal-data.js';
import type { PermissionDefinitions } from './permissions.js';
import type { BrandSource } from '../services/mails.js';
import type { AiModel } from '../services/ai-model.js';
import type { DeclaredDocumentTokens } from '../services/document-tokens.js';
import type { FileStorage } from '../services/file-storage.js';
import type { MailTransport } from '../services/mail-transport.js';
import type { PaymentProvider } from '../services/payment-provider.js';
import type { ProjectSetup } from '../services/people.js';
import type { RetentionRule } from './retention.js';
import { placeOfManifest } from './source-file.js';
import type { ScheduledJobHandler } from '../services/scheduled-jobs.js';
import { Settings } from '../services/settings.js';
import type { SettingsClass } from '../settings/module-settings.js';

/** A module's manifest: everything the platform needs to know about it. */
export interface DomainModuleOptions {
  /** Identifies the module in API keys, OpenAPI tags and guides. */
  name: string;
  /** The versions of the kit that the module works with, as npm writes them, such as `^1.0.0`. A module in a package has it. */
  kit?: string;
  /** The path segment after `/api/v1/ext/` and the first part of the scopes. Defaults to the name. */
  prefix?: string;
  /** The display name on the consent page and in the docs. */
  title: string;
  /** Markdown instructions for agents: purpose, usual order of calls, states. */
  guide: string;
  /** Words by which agents find the tools, and arguments that they mistake. */
  agentWords?: AgentWords;
  /** Pages under `/docs` for the people who set the module up. */
  documentation?: readonly DocumentationPage[];
  /** Each scope with a short description, for example `{ 'notes:note:read': 'Read notes' }`. */
  scopes: Readonly<Record<string, string>>;
  /** What members may do: the permissions that the module's routes for members require. The console lists them for roles. */
  permissions?: PermissionDefinitions;
  /**
   * The permission that a scope requires, for scopes that act in the name of people: whoever makes or widens a key with the
   * scope must have it, and so must the member whom the key is bound to, at each call.
   */
  scopePermissions?: Readonly<Record<string, string>>;
  /** What the console has no pages for. Its page about the API lists it. */
  apiOnly?: readonly ConsoleSubject[];
  /** Pages of the console about the module, in the order of the navigation; they follow those of the console in their groups. */
  pages?: readonly ConsolePage[];
  /** What differs for the module's keys; they are like those of other modules by default. */
  keys?: ModuleKeys;
  /** The module's own settings: classes of `moduleSettings`, to be injected where their values are needed. */
  settings?: readonly SettingsClass[];
  entities: readonly Type[];
  /**
   * The scope with which keys list the custom fields of the module's resources: of the entities with `@CustomFields`. Without it, the
   * resources have custom fields, too, but the module has no look-up of them.
   */
  customFields?: string | { scope: string; /** False if no call of the module takes a project. */ byProject: boolean };
  controllers: readonly Type[];
  providers: NonNullable<ModuleMetadata['providers']>;
  /** Also the modules without which this one cannot work: the boot fails if one of them is not in the list of modules. */
  imports?: ModuleMetadata['imports'];
  /**
   * Modules that this one works with if they are in the list of modules. Inject what they export with `@Optional()`: it is `undefined`
   * without the module.
   */
  uses?: readonly Type[];
  exports?: ModuleMetadata['exports'];
  errors?: Readonly<Record<string, ErrorDefinition>>;
  /**
   * What violations of the tables' constraints mean, by the constraints' names: unique indexes, checks, foreign keys, exclusions, and the
   * names that triggers raise. The error is thrown wherever the violation surfaces: by the statement, a later one, or the commit.
   */
  constraints?: Readonly<Record<string, ConstraintError>>;
  /** Failures that a test key can request with the header `Svc-Test-Scenario`; the module finds the name in `ctx.scenario`. */
  scenarios?: readonly string[];
  events?: Readonly<Record<string, EventDefinition>>;
  /** How `work-suite trigger` causes events in test data, by the calls of the module's keyed routes. */
  triggers?: EventTriggers;
  /** Handlers of the module's jobs, each with `@Job`. */
  jobs?: readonly Type<JobHandler<never>>[];
  /** Handlers of the module's scheduled jobs, each with `@ScheduledJob`. */
  scheduledJobs?: readonly Type<ScheduledJobHandler>[];
  /** Handlers with `@BeforeWrite`, which check or complete writes of an entity, of any module. Those of earlier modules come first. */
  beforeWrite?: readonly Type<BeforeWriteHandler<never>>[];
  /** Resources whose deleted rows go to a bin for 30 days, from which an operation of the module restores them. */
  restorable?: readonly Restorable[];
  /**
   * By operations that delete: what takes them back, within 30 days where they delete with `tx.advanced.remove`, or what makes the same
   * anew.
   */
  undoneBy?: Readonly<Record<string, Undo>>;
  /** How long rows are kept that nothing else deletes; of tables that refer to each other, the referring one first. */
  retention?: readonly RetentionRule[];
  /** What the module stores about people, and what becomes of it when a person is erased. */
  personalData?: readonly PersonalData[];
  /** Rows on which legal holds lie: their organization cannot be deleted. */
  legalHolds?: readonly LegalHold[];
  /**
   * A handler with `@Job`; list it only here. For every event that it hears, of any module, a job is added in the event's
   * transaction, and the job acts on behalf of the actor who caused the event.
   */
  onInternalEvent?: Type<EventListener>;
  /** The types for which `onInternalEvent` runs, of internal and of public events, live and test. Default: all internal ones. */
  internalEvents?: readonly string[];
  /**
   * A table of the module with the columns `organization_id` and `event_type`, whose rows ask for public events as well:
   * `onInternalEvent` also gets the public live events of the organization whose type a row names.
   */
  eventSubscriptions?: { table: string; /** SQL over the table as `s`, for example `s.active`. */ where: string };
  /** The module's part of the demo workspace. */
  demo?: ModuleDemo;
  /** One of the module's providers; called once for every project: when it is created, or at the first start with the module. */
  projectSetup?: Type<ProjectSetup>;
  /** One of the module's providers; the pages and mails of all modules look as it says. At most one module has it. */
  brand?: Type<BrandSource>;
  /** One of the module's providers; it sends all mails in place of SMTP. At most one module has it. */
  mailTransport?: Type<MailTransport>;
  /** One of the module's providers; it keeps the contents of files in place of STORAGE_URL. At most one module has it. */
  fileStorage?: Type<FileStorage>;
  /** One of the module's providers; it answers in place of the model at AI_BASE_URL. At most one module has it. */
  aiModel?: Type<AiModel>;
  /** One of the module's providers; it takes payments in place of `manual`. At most one module has it. */
  paymentProvider?: Type<PaymentProvider>;
  /** What templates of documents can print of the module, as `{{fleet.vehicle_name}}`: with the name of the module before each. */
  documentTokens?: DeclaredDocumentTokens;
}

const MEMBERS: Readonly<Record<keyof DomainModuleOptions, Member>> = {
  name: required(text('fleet')),
  kit: text('^1.0.0'),
  prefix: text('fleet'),
  title: required(text('Fleet')),
  guide: { expected: "a text, such as 'Trips and vehicles.'", isRequired: true, fits: (value) => typeof value === 'string' },
  agentWords: object('{ search: ... }'),
  documentation: objects('{ slug, title, body, ... }'),
  scopes: required(namedTexts("{ 'fleet:trip:read': 'See trips' }")),
  permissions: named("permissions, such as { 'fleet.trip.view': { title: 'See trips', roles: ['member'] } }"),
  scopePermissions: namedTexts("{ 'fleet:trip:write': 'fleet.trip.edit' }"),
  apiOnly: objects('{ names, text }'),
  pages: objects('{ path, title, ... }'),
  keys: object('{ permissions: ... }'),
  settings: settingsClasses,
  entities: required(classes('Trip')),
  customFields: textOrObject("'fleet:trip:read'"),
  controllers: required(classes('TripsController')),
  providers: required(anything('TripsService')),
  imports: anything('CrmModule'),
  uses: classes('CrmModule'),
  exports: anything('TripsService'),
  errors: named('errors, as defineErrors({ ... }) returns them'),
  constraints: named("errors by the constraints' names, such as { trips_number: FleetErrors.numberTaken }"),
  scenarios: texts('tracker_down'),
  events: named('events, as defineEvents({ ... }) returns them'),
  triggers: namedLists("steps, such as { 'trip.created': [{ ... }] }"),
  jobs: classes('PlanTrips'),
  scheduledJobs: classes('CloseTrips'),
  beforeWrite: classes('RequirePlate'),
  restorable: objects('{ entity: Trip, ... }'),
  undoneBy: object("{ delete_stop: { operation: 'add_stop', argument: 'removed_stop_id' } }"),
  retention: objects('{ table, column, keepDays }'),
  personalData: objects('{ entity: Trip, title, ... }'),
  legalHolds: objects('{ entity: Trip, where, title }'),
  onInternalEvent: oneClass('TripListener'),
  internalEvents: texts('trip.ended'),
  eventSubscriptions: object('{ table, where }'),
  demo: object('{ seed: ... }'),
  projectSetup: oneClass('FleetSetup'),
  brand: oneClass('FleetBrand'),
  mailTransport: oneClass('FleetMails'),
  fileStorage: oneClass('FleetFiles'),
  aiModel: oneClass('FleetModel'),
  paymentProvider: oneClass('FleetPayments'),
  documentTokens: object('{ names: { vehicle_name: { type, description } }, provider: FleetTokens }'),
};
/** The keys of a manifest. The compiler does not check those of a spread object. */
export const MANIFEST_KEYS: readonly string[] = Object.keys(MEMBERS);

/** A manifest with defaults applied. */
export type Manifest = DomainModuleOptions & {
  readonly prefix: string;
  /** Its file, and the folder of it, if known. */
  readonly file: string | null;
  readonly folder: string | null;
};

const MANIFEST = Symbol('manifest');

/**
 * Declares a domain module, with the route that returns all its look-ups at once and the routes that its keyed routes declare for
 * members. List the class in `suite.config.ts`; one of the suite's own in `src/modules.ts`.
 *
 * @example
 * ```ts
 * import { DomainModule } from 'work-suite/kit';
 * import { TripEvents } from './trip.dto.js';
 * import { Trip } from './trip.entity.js';
 *
 * @DomainModule({
 *   name: 'fleet',
 *   title: 'Fleet',
 *   guide: 'Trips and vehicles.',
 *   scopes: { 'fleet:trip:read': 'See trips', 'fleet:trip:write': 'Plan and change trips' },
 *   permissions: {
 *     'fleet.trip.view': { title: 'See trips', roles: ['admin', 'developer', 'member'] },
 *     'fleet.trip.edit': { title: 'Plan and change trips', roles: ['admin', 'member'] },
 *   },
 *   entities: [Trip],
 *   events: TripEvents,
 *   controllers: [],
 *   providers: [],
 * })
 * export class FleetModule {}
 * ```
 */
export function DomainModule(declared: DomainModuleOptions): ClassDecorator {
  const place = manifestFile();
  requireMembers(declared, MEMBERS, placeOfManifest(place.file));
  const named = { ...declared, prefix: declared.prefix ?? declared.name, ...place };
  const restoring = restoreControllers(declared.controllers, declared.restorable ?? []);
  const controllers = [...declared.controllers, ...lookupOfCustomFields(named), ...restoring];
  declareConstraints(declared.constraints ?? {});
  declareEvents(declared.events);
  declareHooks(declared.name, declared.beforeWrite);
  declareRestorable(declared.name, declared.restorable);
  const undos = Object.entries(declared.undoneBy ?? {}).flatMap(([deletion, { operation }]) => [deletion, operation]);
  requireOperations(declared.controllers, 'undoneBy', undos);
  const { fits = {}, sends = {} } = declared.demo ?? {};
  requireOperations(
    declared.controllers,
    'demo.fits',
    Object.keys(fits).map((name) => name.split('.')[0]),
  );
  requireOperations(declared.controllers, 'demo.sends', Object.keys(sends));
  declareUndos(declared.undoneBy);
  const options = { ...named, controllers: [...controllers, ...contextLookup(named, controllers), ...memberControllers(controllers)] };
  return applyDecorators(
    Module({
      imports: [TypeOrmModule.forFeature([...options.entities]), ...(options.imports ?? [])],
      controllers: [...options.controllers],
      providers: [
        ...options.providers,
        ...(options.settings ?? []).map((provide) => ({
          provide,
          useFactory: (settings: Settings) => settings.of(provide),
          inject: [Settings],
        })),
        ...(options.jobs ?? []),
        ...(options.scheduledJobs ?? []),
        ...(options.beforeWrite ?? []),
        ...(options.onInternalEvent ? [options.onInternalEvent] : []),
      ],
      exports: options.exports,
    }),
    (target: object) => Reflect.defineMetadata(MANIFEST, Object.freeze(options), target),
  ) as ClassDecorator;
}

function lookupOfCustomFields(module: DomainModuleOptions & { prefix: string }): Type[] {
  if (module.customFields === undefined) return [];
  const resources = module.entities.flatMap((entity) => customFieldResource(entity) ?? []);
  if (resources.length === 0) throw new Error(`${module.name}: the manifest has customFields, but no entity has @CustomFields.`);
  const { customFields } = module;
  return [customFieldLookup(module, resources, typeof customFields === 'string' ? { scope: customFields } : customFields)];
}

export function isDomainModule(module: Type): boolean {
  return Reflect.hasMetadata(MANIFEST, module);
}

export function manifestOf(module: Type): Manifest {
  const manifest = Reflect.getMetadata(MANIFEST, module) as Manifest | undefined;
  if (!manifest) throw new Error(`${module.name} is in the list of modules but has no @DomainModule.`);
  return manifest;
}
