import { applyDecorators, createParamDecorator, HttpCode, SetMetadata, type ExecutionContext, type Type } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExtraModels, ApiOperation, ApiParam, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { CallLog } from './call-log.js';
import { CommonErrors } from './common-errors.js';
import type { ErrorDefinition } from './errors.js';
import { UUID_PATTERN, type JsonSchema } from './field-schema.js';

/** What a route declares; everything around it (key, limits, log, tool ...) is built from this. */
export interface EndpointOptions {
  /** operationId and MCP tool name: `verb_noun`, `[a-z0-9_]`, at most 48 characters. */
  operation: string;
  /** One short line. */
  summary: string;
  /** What a caller must know beyond the summary. */
  description?: string;
  /** Keyed plane: the scope a key needs, `module:resource:verb`. */
  scope?: string;
  /** Product plane: the permission the member's role needs, of several any one; null for any signed-in member. */
  permission?: string | readonly string[] | null;
  /** The DTO of the answer; null for 204, or where the answer is always a file. */
  returns: Type | null;
  /** The answer is a list of `returns`. */
  list?: boolean;
  /** The media types of the files (`FileAnswer`) that a GET may answer with instead of `returns`, with a line each. */
  produces?: Readonly<Record<string, string>>;
  /** 200 unless given. */
  status?: 200 | 201 | 202 | 204;
  /** Other statuses of a success with the same answer, each with a line on when; the handler sets them on the reply. */
  alsoReturns?: Readonly<Partial<Record<200 | 201 | 202, string>>>;
  /** The body is a file, which the handler takes by `@Uploaded()`: its media types with their schemas. */
  upload?: Readonly<Record<string, JsonSchema>>;
  /** A list field of the body that may also be sent bare: `[...]` instead of `{"<field>": [...]}`. */
  bareList?: string;
  /** The largest body, in bytes; 1 MiB unless given. */
  bodyLimit?: number;
  /** A provider that keeps a log of this route's own. */
  callLog?: Type<CallLog>;
  /** Errors beside those every route has. */
  errors?: readonly ErrorDefinition[];
  /** A look-up that agents call before they write; named in the descriptions of the module's write tools. */
  lookup?: boolean;
  /** The call acts for a person, so the key must be bound to a member. */
  requiresActor?: boolean;
  /** A POST that acts on the resource of its path by `tx.target`, so that it heeds If-Match, as every PATCH, PUT and DELETE does. */
  ifMatch?: boolean;
  /** The call sends mail or asks a model. */
  openWorld?: boolean;
  /**
   * The handler waits for others, so no transaction is open around it: each of its writes commits by itself, and a lease
   * holds the Idempotency-Key. What a dead process had begun is executed again when the lease has ended.
   */
  ownTransactions?: boolean;
  /** Members of the answer that are shown once and are null in an idempotent replay. */
  secrets?: readonly string[];
  deprecated?: DeprecationOptions;
}

/** RFC 9745 and RFC 8594; the sunset is at least 12 months after the deprecation. */
export interface DeprecationOptions {
  since: Date;
  sunset: Date;
  /** Where this is written up, and the route that replaces it. */
  info: string;
  successor?: string;
}

const ENDPOINT = Symbol('endpoint');
const PUBLIC = Symbol('public');

/**
 * Declares a route. With this alone it has key, allowlist, limits, scope, project pin, validation, idempotency, log, error
 * envelope, OpenAPI entry and MCP tool. A route without `@Endpoint` or `@Public` stops the boot.
 */
export function Endpoint(options: EndpointOptions): MethodDecorator {
  const status = options.status ?? (options.returns || options.produces ? 200 : 204);
  return applyDecorators(
    SetMetadata(ENDPOINT, Object.freeze({ ...options, status })),
    HttpCode(status),
    ApiOperation({
      operationId: options.operation,
      summary: options.summary,
      description: options.description,
      deprecated: options.deprecated !== undefined,
    }),
    RouteConfig({ bodyLimit: options.bodyLimit }),
    ...answerDecorators(options, status),
    ...Object.entries(options.alsoReturns ?? {}).map(([other, when]) =>
      ApiResponse({ status: Number(other), description: when, type: options.returns as Type }),
    ),
  );
}

function answerDecorators({ returns, list, produces, summary }: EndpointOptions, status: number) {
  if (!returns) return [ApiResponse({ status, description: produces ? summary : 'Done; no body.' })];
  if (!list) return [ApiResponse({ status, description: summary, type: returns })];
  return [ApiExtraModels(returns), ApiResponse({ status, description: summary, schema: listSchema(returns) as never })];
}

function listSchema(item: Type) {
  return {
    type: 'object',
    required: ['object', 'data', 'has_more', 'next_cursor'],
    properties: {
      object: { type: 'string', enum: ['list'], description: 'Always `list`.' },
      data: { type: 'array', description: 'The items of this page, in the order asked for.', items: { $ref: getSchemaPath(item) } },
      has_more: { type: 'boolean', description: 'Whether another page follows.' },
      next_cursor: { type: 'string', nullable: true, description: 'Send it as cursor to get the next page; null on the last.' },
      total_count: { type: 'integer', description: 'All matches; present when include_total=true.' },
    },
  };
}

/** The declared options of a route's handler, or undefined. */
export function endpointOf(handler: object): (EndpointOptions & { status: number }) | undefined {
  return Reflect.getMetadata(ENDPOINT, handler) as (EndpointOptions & { status: number }) | undefined;
}

export interface PublicOptions {
  /** Whether calls are counted against the caller's address; false only for what must always answer. Default true. */
  limited?: boolean;
}

/**
 * Opens a route to everyone; the reason is read by the reviewer and by the contract test. Outside `/api/` it is a page: its
 * errors are pages too, and its body may come from an HTML form, every value of which is text.
 */
export function Public(why: string, { limited = true }: PublicOptions = {}): MethodDecorator {
  return SetMetadata(PUBLIC, { why, limited });
}

export function publicOf(handler: object): { why: string; limited: boolean } | undefined {
  return Reflect.getMetadata(PUBLIC, handler) as { why: string; limited: boolean } | undefined;
}

const UUID = new RegExp(UUID_PATTERN);

const idParameter = createParamDecorator((name: string, context: ExecutionContext) => {
  const value = context.switchToHttp().getRequest<{ params: Record<string, string> }>().params[name];
  // a malformed id names nothing that exists, so it gets the answer of an unknown one
  if (!UUID.test(value)) throw CommonErrors.notFound();
  return value;
});

/** A resource's id from the path: `get(@Id() id: string)`. */
export function Id(name = 'id', description = 'Id of the resource.'): ParameterDecorator {
  return (target, property, index) => {
    idParameter(name)(target, property, index);
    const descriptor = Object.getOwnPropertyDescriptor(target, property as string) as PropertyDescriptor;
    ApiParam({
      name,
      description,
      schema: { type: 'string', format: 'uuid', pattern: UUID_PATTERN, example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60' },
    })(target, property as string, descriptor);
  };
}
