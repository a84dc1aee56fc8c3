import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CommonErrors, ImportQuery, isObject, SentFile, Upload, type Mode } from '../../../kit/index.js';
import { isPage, takesDryRun, type Route } from '../../registry/route-registry.js';
import { filesTooLarge, isMultipart, readFormBody } from './form-body.js';
import { readPageUpload } from './page-upload.js';
import { readForm, readJsonBody, readPageBody, requireNoEncoding, requireUtf8 } from './read-body.js';
import { DRY_RUN, readDryRun, readIdempotencyKey, readIfMatch, readPlanToken, readTestClock, TEST_CLOCK } from './request-headers.js';
import { firstPage, hasPages, prefersCsv } from '../csv/csv-request.js';
import { fileNameIn } from '../files/content-disposition.js';
import type { Request } from '../../request/request-state.js';
import { isFile, mediaTypeOf, otherTypesOf, tooLarge } from './too-large.js';
import { validateBody } from './validate-body.js';
import { validateQuery } from './validate-query.js';

/**
 * Validates and converts body, query and headers. A guard and not a pipe, because it must also reject parameters that the handler
 * does not declare, and must run before a route's own guards (sign-in reads the body).
 */
@Injectable()
export class ValidationGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    validate(request, http.getResponse<FastifyReply>(), request.state.route as Route);
    return true;
  }
}

function validate(request: Request, reply: FastifyReply, route: Route): void {
  const ctx = request.ctx;
  const isDryRun = route.write && readDryRun(request.headers['svc-dry-run'] as string | undefined);
  if (isDryRun && !(ctx && takesDryRun(route))) throw CommonErrors.dryRunUnsupported({ param: DRY_RUN });
  const { bareList, callLog, upload } = route.endpoint ?? {};
  const bodyLimit = limitOf(request, route);
  const raw = Buffer.isBuffer(request.body) ? request.body : null;
  if (callLog) request.state.rawBody = raw;
  if (request.state.keptBodies !== 'none') request.state.receivedBody = raw;
  if (raw && raw.length > bodyLimit) throw tooLarge(request);
  if (ctx) request.work.clock = testClockOf(request, route, ctx.mode);
  const wantsCsv = ctx !== undefined && prefersCsv(route, request.headers.accept);
  const wantsAll = wantsCsv && hasPages(route.queryDto) && !Object.hasOwn(request.query as object, 'limit');
  if (wantsCsv) request.state.csv = wantsAll ? 'all' : 'page';
  request.query = validateQuery(route.queryDto, request.query as Record<string, string>, { ignoreUnknown: isPage(route) });
  if (wantsAll) firstPage(request.query as object, route.queryDto!);
  if (raw && (route.bodyDto || upload)) requireNoEncoding(request.headers['content-encoding']);
  if (route.bodyDto) {
    const body = bodyOf(request, route);
    const { value, ignored } = validateBody(route.bodyDto, bareList !== undefined && Array.isArray(body) ? { [bareList]: body } : body);
    if (ignored.length > 0)
      reply.header(
        'Svc-Ignored-Fields',
        ignored
          .map((name) => encodeURIComponent(name.toWellFormed()))
          .join(', ')
          .slice(0, 1024),
      );
    request.body = value;
  } else if (upload) {
    request.body = uploadOf(raw, request.headers['content-type'], Object.keys(upload));
  } else {
    request.body = route.open.form && route.write ? readForm(raw, request.headers['content-type']) : undefined;
  }
  if (!ctx) return;
  if (route.write) {
    ctx.dryRun = isDryRun;
    if (request.query instanceof ImportQuery && takesDryRun(route)) {
      ctx.dryRun ||= request.query.dry_run === true;
      // the header alone says the same: imports know a dry run by this field
      if (isDryRun) request.query.dry_run = true;
    }
    request.state.dryRun = ctx.dryRun;
    ctx.planToken = ctx.dryRun || !takesDryRun(route) ? null : readPlanToken(request.headers['svc-plan-token'] as string | undefined);
    ctx.ifMatch = readIfMatch(request.headers['if-match']);
    if (request.method === 'POST' || request.method === 'PATCH')
      ctx.idempotencyKey = readIdempotencyKey(request.headers['idempotency-key'] as string | undefined);
  }
  if (ctx.projectId !== null) {
    checkPin(ctx.projectId, request.body);
    checkPin(ctx.projectId, request.query);
  }
}

/**
 * Only rows of modules belong to a mode: what the platform keeps, such as members, keys and the closure, is shared with live data and
 * follows the real clock. The header of the MCP endpoint is for the tools of modules.
 */
function testClockOf({ headers, state }: Request, { module }: Route, mode: Mode): Date | null {
  const clock = readTestClock(headers['svc-test-clock'] as string | undefined, mode);
  if (clock === null || module !== null) return clock;
  if (state.outer !== undefined) return null;
  throw CommonErrors.validationFailed({
    param: TEST_CLOCK,
    message: `${TEST_CLOCK} is for the data of modules; this call always has the real time`,
  });
}

/** Files were limited as they were received. */
function limitOf(request: Request, { endpoint }: Route): number {
  const contentType = request.headers['content-type'];
  if (!endpoint?.files || isMultipart(contentType) || isFile(contentType, endpoint.files)) return endpoint?.bodyLimit ?? Infinity;
  return endpoint.bodyLimit ?? request.server.initialConfig.bodyLimit ?? Infinity;
}

function bodyOf(request: Request, route: Route): unknown {
  const contentType = request.headers['content-type'];
  const files = route.endpoint?.files;
  if (files && isMultipart(contentType)) {
    const sent = readFormBody(request.body, contentType, route.bodyDto!, files);
    request.files = sent.files;
    return sent.body;
  }
  if (files && isFile(contentType, files)) {
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    if (bytes.length > files.bytes) throw filesTooLarge(files);
    request.files = bytes.length > 0 ? [new SentFile(fileNameIn(request.headers['content-disposition']), contentType!, bytes)] : [];
    return {};
  }
  if (!isPage(route)) return readJsonBody(request.body, contentType, files ? otherTypesOf(files) : []);
  if (route.open.upload === undefined) return readPageBody(request.body, contentType);
  const { body, upload } = readPageUpload(request.body, contentType, route.open.upload);
  request.upload = upload;
  return body;
}

function uploadOf(raw: Buffer | null, contentType: string | undefined, accepted: readonly string[]): Upload {
  const isEmpty = raw === null || raw.length === 0;
  const missing = () => CommonErrors.missingFields({ param: 'body', message: 'body is required: send the file.' });
  // neither a file nor its type: a tool call without the argument
  if (isEmpty && contentType === undefined) throw missing();
  const type = contentType && mediaTypeOf(contentType);
  if (type === undefined || !accepted.includes(type))
    throw CommonErrors.unsupportedMediaType({
      param: 'Content-Type',
      message: `Send the body as ${accepted.join(' or ')}.`,
      allowed: accepted,
    });
  // a CSV file is converted by its charset
  if (type.startsWith('text/') && type !== 'text/csv') requireUtf8(contentType as string);
  if (isEmpty) throw missing();
  return new Upload(contentType as string, raw);
}

/** A key that is bound to a project never names another one, on any route. */
function checkPin(pin: string, named: unknown): void {
  const project = isObject(named) ? named.project_id : undefined;
  const other = Array.isArray(project) ? project.some((id) => id !== pin) : typeof project === 'string' && project !== pin;
  if (other) throw CommonErrors.projectScopeMismatch({ param: 'project_id' });
}
