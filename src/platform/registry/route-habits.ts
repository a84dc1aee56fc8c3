import { ParseUUIDPipe, RequestMethod, ValidationPipe, type PipeTransform, type Type } from '@nestjs/common';
import {
  EXCEPTION_FILTERS_METADATA,
  HOST_METADATA,
  HTTP_CODE_METADATA,
  METHOD_METADATA,
  PIPES_METADATA,
  REDIRECT_METADATA,
  RENDER_METADATA,
  RESPONSE_PASSTHROUGH_METADATA,
  ROUTE_ARGS_METADATA,
  SSE_METADATA,
  VERSION_METADATA,
} from '@nestjs/common/constants.js';
import type { EndpointOptions } from '../../kit/internal.js';

/** An argument of a handler, as Nest's decorators describe it. */
interface Argument {
  data?: unknown;
  pipes?: readonly (Type<PipeTransform> | PipeTransform)[];
}

type Declared = { status: number } & Pick<EndpointOptions, 'operation'>;

// Nest's RouteParamtypes, the first part of the keys in the metadata of arguments
const RESPONSE = '1';
const BODY = '3';
const QUERY = '4';
const PARAM = '5';
/** Decorators whose argument would always be undefined here, or would not be what its name says. */
const UNAVAILABLE: Readonly<Record<string, string>> = {
  2: '@Next() is not supported: return the answer, or throw an error',
  7: '@Session() is always undefined: inject @Ctx(), which has the caller',
  8: '@UploadedFile() is always undefined: declare `upload` or `files` in @Endpoint, and inject @Uploaded() or @SentFiles()',
  9: '@UploadedFiles() is always undefined: declare `files` in @Endpoint, and inject @SentFiles()',
  11: '@Ip() may be the address of a proxy: inject @Visitor(), which has the address of the client',
  12: '@RawBody() is always undefined: declare `upload` in @Endpoint, and inject @Uploaded()',
};
const NO_VALIDATION_PIPE =
  'remove ValidationPipe: bodies and queries are validated by the @Field of their DTO and by the class-validator decorators beside it';

/** Metadata of decorators that would replace the answer. */
const REPLIES: Readonly<Record<string, string>> = {
  [REDIRECT_METADATA]: "replace @Redirect with `return redirect('...')` of the kit, on a page by @Public",
  [RENDER_METADATA]: 'remove @Render: no view engine is installed; return the object of the DTO, or html`...` on a page by @Public',
  [SSE_METADATA]: 'replace @Sse with @Get: answers are sent whole; emit events for those who wait for changes',
};

/** The methods of operations. */
const METHODS: ReadonlySet<RequestMethod> = new Set([
  RequestMethod.GET,
  RequestMethod.POST,
  RequestMethod.PUT,
  RequestMethod.PATCH,
  RequestMethod.DELETE,
]);

/** Decorators of Nest that do not do here what they do elsewhere, each with what to write instead. */
export function routeHabits(controller: Type, name: string, endpoint: Declared | null, at: string): string[] {
  const handler = (controller.prototype as Record<string, object>)[name];
  const listed = <T>(key: string) =>
    [controller, handler].flatMap((target) => (Reflect.getMetadata(key, target) as readonly T[] | undefined) ?? []);
  const problems: string[] = [];
  if (listed<Type<PipeTransform> | PipeTransform>(PIPES_METADATA).some((pipe) => isA(ValidationPipe, pipe)))
    problems.push(NO_VALIDATION_PIPE);
  if (listed(EXCEPTION_FILTERS_METADATA).length > 0)
    problems.push('remove @UseFilters: every error answers with the error envelope; declare the error with defineErrors and throw it');
  const code = Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined;
  if (endpoint && code !== endpoint.status)
    problems.push(`replace @HttpCode(${code}) with \`status: ${code}\` in @Endpoint, which the OpenAPI document shows`);
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
  if (!METHODS.has(method))
    problems.push(
      `replace the decorator of ${RequestMethod[method]} with @Get, @Post, @Put, @Patch or @Delete, one handler each: ` +
        'each method of a path is an operation of its own',
    );
  for (const [key, mend] of Object.entries(REPLIES)) if (Reflect.hasMetadata(key, handler)) problems.push(mend);
  if ([controller, handler].some((target) => Reflect.getMetadata(VERSION_METADATA, target) !== undefined))
    problems.push('remove @Version: it has no effect; versions stand in the path, below /api/v1, and a change adds fields or routes');
  if (Reflect.getMetadata(HOST_METADATA, controller) !== undefined)
    problems.push('remove `host` of @Controller: a route is one path, which is served on every host');
  const passthrough = Reflect.getMetadata(RESPONSE_PASSTHROUGH_METADATA, controller, name) === true;
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<string, Argument>;
  for (const [key, argument] of Object.entries(args)) problems.push(...argumentHabits(key.split(':')[0], argument, passthrough));
  return problems.map((problem) => `${at}: ${problem}`);
}

function argumentHabits(kind: string, { data, pipes = [] }: Argument, passthrough: boolean): string[] {
  const problems: string[] = [];
  if (kind in UNAVAILABLE) problems.push(UNAVAILABLE[kind]);
  if (kind === RESPONSE && !passthrough)
    problems.push(
      'write @Res({ passthrough: true }) and return the answer: a reply that is sent here would precede the commit of the write',
    );
  if (data !== undefined && kind === QUERY)
    problems.push(`replace @Query('${String(data)}') with @Query() and a DTO: only declared parameters are accepted and documented`);
  if (data !== undefined && kind === BODY)
    problems.push(`replace @Body('${String(data)}') with @Body() and a DTO: only declared fields are read and documented`);
  if (data === undefined && kind === PARAM)
    problems.push("replace @Param() with @Id('name') or @Param('name'), one for each parameter of the path, which is documented by it");
  if (pipes.some((pipe) => isA(ValidationPipe, pipe))) problems.push(NO_VALIDATION_PIPE);
  if (kind === PARAM && pipes.some((pipe) => isA(ParseUUIDPipe, pipe)))
    problems.push(`replace @Param('${String(data)}', ParseUUIDPipe) with @Id('${String(data)}'): a malformed id is an unknown one, 404`);
  return problems;
}

function isA<T>(type: Type<T>, pipe: unknown): boolean {
  return pipe === type || pipe instanceof type || (typeof pipe === 'function' && pipe.prototype instanceof type);
}
