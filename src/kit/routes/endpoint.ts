import { applyDecorators, createParamDecorator, HttpCode, SetMetadata, type ExecutionContext, type Type } from '@nestjs/common';
import { HTTP_CODE_METADATA } from '@nestjs/common/constants.js';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExtraModels, ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import type { Ctx } from '../callers/ctx.js';
import type { CallLog } from './call-log.js';
import { CommonErrors } from '../errors/common-errors.js';
import type { ErrorDefinition } from '../errors/errors.js';
import { uuidSchema, type JsonSchema } from '../fields/field-schema.js';
import type { KeyFormat } from '../fields/field-specification.js';
import { summaryOf } from '../fields/fields.js';
import { forOpenApi, schemaName } from '../fields/openapi-metadata.js';
import type { EventDefinition } from '../store/events.js';
import { isRowKey, type RowKeys } from '../store/row-keys.js';
import { isUuid } from '../values/formats.js';

/** Declares a route; the platform derives authentication, limits, log, OpenAPI entry and MCP tool from it. */
export interface EndpointOptions {
  /** operationId and MCP tool name: `verb_noun`, `[a-z0-9_]`, at most 48 characters. */
  operation: string;
  /** One short line. */
  summary: string;
  /** Details that a caller needs beyond the summary. */
  description?: string;
  /** Routes for API keys: the scope the key needs, `module:resource:verb`. */
  scope?: string;
  /** Routes for signed-in members: the permission, or any one of several, that the role needs; null for any member. */
  permission?: string | readonly string[] | null;
  /** Routes for API keys: signed-in members can call the same handler, at a route of their own. */
  member?: MemberRoute;
  /** The response's DTO; null for 204, or if the response is always a file. */
  returns: Type | null;
  /** The response is a list of `returns`. */
  list?: boolean;
  /**
   * The media types of the files (`FileResponse`) that a GET may answer with instead of `returns`, with a line each. With
   * `text/event-stream`, the content is a stream, the client may send `Last-Event-ID`, and the route is no MCP tool.
   */
  produces?: Readonly<Record<string, string>>;
  /** Defaults to 200. */
  status?: 200 | 201 | 202 | 204;
  /** Further success statuses with the same body, each with a description; the handler sets them on the reply. */
  alsoReturns?: Readonly<Partial<Record<200 | 201 | 202, string>>>;
  /** The request body is a file, injected with `@Uploaded()`: its media types with their schemas. */
  upload?: Readonly<Record<string, JsonSchema>>;
  /**
   * The body may also be multipart/form-data: the fields of the DTO, and files, injected with `@SentFiles()`. Lists are sent as repeated
   * fields, members of objects with a dot, such as `requester.email`.
   */
  files?: FilesOption;
  /** A list field that may also be sent as the whole body: `[...]` instead of `{"<field>": [...]}`. */
  bareList?: string;
  /** The largest request body in bytes. Defaults to BODY_LIMIT_BYTES (1 MiB). */
  bodyLimit?: number;
  /** The provider of a log for this route alone. */
  callLog?: Type<CallLog>;
  /** Errors in addition to those that any route can return. */
  errors?: readonly ErrorDefinition[];
  /** Routes for API keys: the events that the call itself can emit, for the reference. Tests compare them with those that it emits. */
  emits?: readonly EventDefinition[];
  /**
   * A look-up that agents call before they write; the descriptions of the module's write tools refer to it. A list becomes a
   * section of the module's context, see `contextLookup`.
   */
  lookup?: true | LookupSection;
  /** The operations whose first items the response contains. */
  context?: readonly string[];
  /** The call acts on behalf of a member, so the key must be bound to one. */
  requiresActor?: boolean;
  /** Routes for signed-in members: the member must have given their password within two hours, or it fails with `confirmation_required`. */
  confirmation?: true;
  /** A POST that locks the resource in its path with `tx.target` and so honors If-Match, as every PATCH, PUT and DELETE does. */
  ifMatch?: boolean;
  /**
   * A POST or PATCH that can delete, replace or end what exists; every PUT and DELETE is destructive anyway. Keys can ask before it: with
   * `ownTransactions` it needs `dryRun`.
   */
  destructive?: boolean;
  /**
   * The call sends mail, calls a model or lets outsiders in. Keys can ask before it: with `ownTransactions` it needs `dryRun`, and a GET
   * cannot have it.
   */
  openWorld?: boolean;
  /**
   * The handler calls external services, hashes a password or counts failures, so no transaction spans it: each write commits
   * separately, and a lease holds the Idempotency-Key. If the process dies, a retry runs the handler again once the lease has expired.
   */
  ownTransactions?: boolean;
  /**
   * A route with `ownTransactions` that can be tried out all the same. Its handler writes with the caller's context only, and leaves out
   * what it does outside of the database if `store.isDryRun`, as `PaymentProviders` does. Other writes always can.
   */
  dryRun?: true;
  /** What a GET writes. By default, the store refuses writes of a GET. Each write commits by itself. */
  writesOnGet?: string;
  /** Response members that are shown once and are null in an idempotent replay. The response is never compressed. */
  secrets?: readonly string[];
  deprecated?: DeprecationOptions;
}

/** The compiler does not check those of a spread object. */
export const ENDPOINT_KEYS: Readonly<Record<keyof EndpointOptions, true>> = {
  operation: true,
  summary: true,
  description: true,
  scope: true,
  permission: true,
  member: true,
  returns: true,
  list: true,
  produces: true,
  status: true,
  alsoReturns: true,
  upload: true,
  files: true,
  bareList: true,
  bodyLimit: true,
  callLog: true,
  errors: true,
  emits: true,
  lookup: true,
  context: true,
  requiresActor: true,
  confirmation: true,
  ifMatch: true,
  destructive: true,
  openWorld: true,
  ownTransactions: true,
  dryRun: true,
  writesOnGet: true,
  secrets: true,
  deprecated: true,
};

/** The keys of the options that are objects. */
export const NESTED_ENDPOINT_KEYS = {
  member: { permission: true, path: true, operation: true, description: true } satisfies Record<keyof MemberRoute, true>,
  lookup: { section: true, fields: true } satisfies Record<keyof LookupSection, true>,
  files: { field: true, description: true, most: true, bytes: true, mediaType: true } satisfies Record<keyof FilesOption, true>,
  deprecated: { since: true, sunset: true, info: true, successor: true } satisfies Record<keyof DeprecationOptions, true>,
};

export interface FilesOption {
  /** The name of the field. */
  field: string;
  description: string;
  /** The most files. */
  most: number;
  /** The largest size of all files together, in bytes. */
  bytes: number;
  /** The body may also be one file itself, of this media type. */
  mediaType?: string;
}

/** The size of a form around its files. */
const FORM_OVERHEAD = 1024 * 1024;

/** The route of signed-in members to the handler of a route for keys. It is no MCP tool. */
interface MemberRoute {
  /** As in `EndpointOptions`. */
  permission: string | readonly string[] | null;
  /** By default the path of the keyed route, with `/api/v1/org/` in place of `/api/v1/ext/`. */
  path?: string;
  /** By default that of the keyed route with `org` after the verb: `list_org_tasks` for `list_tasks`. */
  operation?: string;
  /** By default that of the keyed route. */
  description?: string;
}

/** A look-up as part of its module's context. */
interface LookupSection {
  /** Its name; by default the last segment of the route's path, with underscores. */
  section?: string;
  /** The fields of its items; by default all but timestamps, versions and maps. */
  fields?: readonly string[];
}

/** Sent as Deprecation (RFC 9745) and Sunset (RFC 8594) headers; the sunset is at least 12 months after `since`. */
interface DeprecationOptions {
  since: Date;
  sunset: Date;
  /** Address of the page that explains the deprecation. */
  info: string;
  /** The route that replaces this one. */
  successor?: string;
}

const EVENT_STREAM = 'text/event-stream';

/** Whether the answer is a stream of events, which goes on until one side ends it. It is no MCP tool. */
export function isEventStream({ produces }: Pick<EndpointOptions, 'produces'>): boolean {
  return produces !== undefined && EVENT_STREAM in produces;
}

const ENDPOINT = Symbol('endpoint');
const PUBLIC = Symbol('public');
const ROUTE_CONFIG = Symbol('route config');

/**
 * Declares a route. The platform then provides its authentication, IP allowlist, rate limits, scope check, project pin,
 * validation, idempotency, log, error envelope, OpenAPI entry and MCP tool. A route without `@Endpoint` or `@Public` is a
 * boot error.
 *
 * @example
 * ```ts
 * import { Body, Controller, Post } from '@nestjs/common';
 * import { Ctx, Endpoint, Projects } from 'work-suite/kit';
 * import { CreateTripDto, TripDto } from './trip.dto.js';
 *
 * @Controller('api/v1/ext/fleet/trips')
 * export class TripsController {
 *   constructor(private readonly projects: Projects) {}
 *
 *   @Post()
 *   @Endpoint({
 *     operation: 'create_trip',
 *     summary: 'Plan a trip',
 *     scope: 'fleet:trip:write',
 *     member: { permission: 'fleet.trip.edit' },
 *     returns: TripDto,
 *     status: 201,
 *   })
 *   async create(@Ctx() ctx: Ctx, @Body() { title, project_id }: CreateTripDto): Promise<object> {
 *     return { object: 'trip', title, project_id: (await this.projects.resolve(ctx, project_id)).id };
 *   }
 * }
 * ```
 */
export function Endpoint(options: EndpointOptions): MethodDecorator {
  const status = options.status ?? (options.returns || options.produces ? 200 : 204);
  return applyDecorators(
    SetMetadata(ENDPOINT, Object.freeze({ ...options, status })),
    // an @HttpCode of the author stays, and fails the boot if it differs
    (target: object, name: string | symbol, descriptor: PropertyDescriptor) => {
      if (!Reflect.hasMetadata(HTTP_CODE_METADATA, descriptor.value as object)) HttpCode(status)(target, name, descriptor);
    },
    addRouteConfig({
      bodyLimit: options.files?.mediaType === undefined ? options.bodyLimit : options.files.bytes,
      files: options.files,
      formLimit: options.files && options.files.bytes + FORM_OVERHEAD,
    }),
    (target: object, name: string | symbol, descriptor: PropertyDescriptor) =>
      forOpenApi(() => openApiDecorator(options, status)(target, name, descriptor)),
  );
}

/** `RouteConfig` replaces what another decorator of the same route has set; this keeps what `config` leaves undefined. */
function addRouteConfig(config: object): MethodDecorator {
  return (target, name, descriptor: PropertyDescriptor) => {
    const handler = descriptor.value as object;
    const given = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
    const whole = { ...(Reflect.getMetadata(ROUTE_CONFIG, handler) as object | undefined), ...given };
    Reflect.defineMetadata(ROUTE_CONFIG, whole, handler);
    RouteConfig(whole)(target, name, descriptor);
  };
}

function openApiDecorator(options: EndpointOptions, status: number): MethodDecorator {
  return applyDecorators(
    ApiOperation({
      operationId: options.operation,
      summary: options.summary,
      description: options.description,
      deprecated: options.deprecated !== undefined,
    }),
    ...responseDecorators(options, status),
    ...Object.entries(options.alsoReturns ?? {}).flatMap(([other, when]) => responseDecorators(options, Number(other), when)),
  );
}

function responseDecorators({ returns, list, produces, summary }: EndpointOptions, status: number, when = summary) {
  if (!returns) return [ApiResponse({ status, description: produces ? summary : 'Success; no body.' })];
  if (!list) return [ApiResponse({ status, description: when, type: returns })];
  return [ApiExtraModels(returns), ApiResponse({ status, description: when, schema: listSchema(returns) as never })];
}

function listSchema(item: Type) {
  const summary = summaryOf(item);
  return {
    type: 'object',
    required: ['object', 'data', 'has_more', 'next_cursor'],
    properties: {
      object: { type: 'string', enum: ['list'], description: 'Always `list`.' },
      data: {
        type: 'array',
        description: 'The items of this page, in the requested order.',
        items: { $ref: `#/components/schemas/${schemaName(item)}` },
        ...(summary.length > 0 ? { 'x-summary': summary } : {}),
      },
      has_more: { type: 'boolean', description: 'Whether another page follows.' },
      next_cursor: { type: 'string', nullable: true, description: 'Send it as cursor to get the next page; null on the last page.' },
      total_count: { type: 'integer', description: 'Number of all matches; present with include_total=true.' },
    },
  };
}

/** The options that a route's handler declares; undefined if it has no `@Endpoint`. */
export function endpointOf(handler: object): (EndpointOptions & { status: number }) | undefined {
  return Reflect.getMetadata(ENDPOINT, handler) as (EndpointOptions & { status: number }) | undefined;
}

export interface PublicOptions {
  /** Whether calls count against the limit of the caller's address; false only for routes that must always respond. Default true. */
  limited?: boolean;
  /** The most calls of one address to one path in ten minutes, beside the limit that all public routes share. */
  callsPerTenMinutes?: number;
  /** The same for one minute. */
  callsPerMinute?: number;
  /** The same for one hour. */
  callsPerHour?: number;
  /** Loaded by pages, such as their pictures: such calls have a limit of their own per address, ten times that of all public routes. */
  partOfPage?: boolean;
  /** What a GET writes. By default, the store refuses writes of a GET. Each write commits by itself. */
  writesOnGet?: string;
  /** The response contains a secret, such as a token: it is neither stored nor compressed. */
  secrets?: boolean;
  /** A page only: its form sends a file in this field beside the other fields, as multipart/form-data. `@Uploaded()` injects it. */
  upload?: string;
  /** A page only: its handler reads the fields of its forms itself; the body is `URLSearchParams`. */
  form?: true;
  /** The largest request body in bytes. Defaults to BODY_LIMIT_BYTES (1 MiB). */
  bodyLimit?: number;
}

/**
 * Makes a route accessible without authentication; `why` justifies that to reviewers and to the contract test. Outside
 * `/api/` the route is a page: its errors are HTML too, and its body may be an HTML form, whose values are all strings.
 *
 * @example
 * ```ts
 * import { Controller, Get } from '@nestjs/common';
 * import { html, page, Public, type FileResponse } from 'work-suite/kit';
 *
 * @Controller('trips')
 * export class TripPages {
 *   @Get('timetable')
 *   @Public('The timetable is no secret', { callsPerMinute: 60 })
 *   timetable(): FileResponse {
 *     return page({ title: 'Timetable', host: null, body: html`<h1>Timetable</h1>` });
 *   }
 * }
 * ```
 */
export function Public(why: string, options: PublicOptions = {}): MethodDecorator {
  const { bodyLimit, upload } = options;
  return applyDecorators(SetMetadata(PUBLIC, Object.freeze({ why, ...options })), addRouteConfig({ bodyLimit, upload }));
}

export function publicOf(handler: object): ({ why: string } & PublicOptions) | undefined {
  return Reflect.getMetadata(PUBLIC, handler) as ({ why: string } & PublicOptions) | undefined;
}

/** A request as the platform extends it: Fastify's instance has the application's `RowKeys`. */
interface RequestWithKeys {
  params: Record<string, string>;
  ctx?: Ctx;
  server: { rowKeys: RowKeys };
}

/** What `@Id` injects: Nest awaits a promise as it awaits those of pipes, within the call's transaction. */
export function readId({ name, orKey }: { name: string; orKey?: KeyFormat }, context: ExecutionContext): string | Promise<string> {
  const { params, ctx, server } = context.switchToHttp().getRequest<RequestWithKeys>();
  const value = params[name];
  if (isUuid(value)) return value.toLowerCase();
  // a malformed id cannot exist, so it gets the same response as an unknown one
  if (!orKey || !new RegExp(orKey.pattern).test(value)) throw CommonErrors.notFound();
  return ctx && isRowKey(orKey) ? server.rowKeys.idOf(ctx, orKey, value, name) : value;
}

const idParameter = createParamDecorator(readId);

/** The description of an `id` that has none of its own. */
export const ANY_ID = 'Its id.';

/**
 * Injects a resource's id from the path: `get(@Id() id: string)`. The path can have a key in its place, `@Id(TRIP_NUMBER)`: with a `rowKey`
 * the handler receives the id of its row, with another format the key.
 *
 * @example
 * ```ts
 * import { Controller, Delete } from '@nestjs/common';
 * import { Ctx, Endpoint, Id, Store } from 'work-suite/kit';
 * import { Trip } from './trip.entity.js';
 *
 * @Controller('api/v1/ext/fleet/trips')
 * export class TripsController {
 *   constructor(private readonly store: Store) {}
 *
 *   @Delete(':id')
 *   @Endpoint({ operation: 'delete_trip', summary: 'Delete a trip', scope: 'fleet:trip:write', returns: null })
 *   async delete(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
 *     await this.store.write(ctx, async (tx) => tx.delete(await tx.target(Trip, id)));
 *   }
 * }
 * ```
 */
export function Id(nameOrKey: string | KeyFormat = 'id', description?: string, keyOfName?: KeyFormat): ParameterDecorator {
  const [name, orKey] = typeof nameOrKey === 'string' ? [nameOrKey, keyOfName] : ['id', nameOrKey];
  const text = description ?? (orKey && isRowKey(orKey) ? `Id or ${orKey.column}.` : ANY_ID);
  return (target, property, index) => {
    idParameter({ name, orKey })(target, property, index);
    const descriptor = Object.getOwnPropertyDescriptor(target, property as string) as PropertyDescriptor;
    ApiParam({
      name,
      description: text,
      schema: { ...(uuidSchema(orKey) as { type: 'string' }), example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60' },
      ...(orKey && isRowKey(orKey) ? { extensions: { 'x-key': orKey.column } } : {}),
    })(target, property as string, descriptor);
  };
}
