import { Catch, NotFoundException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Settings } from '../../../kit/index.js';
import { preferredType } from '../../../kit/internal.js';
import { PathMethods } from '../paths/path-methods.js';
import { ModuleRegistry } from '../../registry/module-registry.js';
import { isPage } from '../../registry/route-registry.js';
import { BaseUrl } from '../../config/base-url.js';
import { namingProject } from './assumed-project.js';
import { Challenge } from './challenge.js';
import { causeOf } from './error-cause.js';
import { asDomainError, envelopeOf, headersOf } from './error-envelope.js';
import { errorPage } from './error-page.js';
import type { Request } from '../../request/request-state.js';

const CONSOLE = '/console';
/** What only programs call. */
export const PROGRAMS = /^\/(?:api|oauth|\.well-known|health)\b/;

/** Renders everything thrown as the error envelope, or as an HTML page for a browser on a page. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly baseUrl: BaseUrl,
    private readonly pathMethods: PathMethods,
    private readonly challenge: Challenge,
    private readonly modules: ModuleRegistry,
    private readonly settings: Settings,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.send(thrown, http.getRequest<Request>(), http.getResponse<FastifyReply>());
  }

  send(thrown: unknown, request: Request, reply: FastifyReply): void {
    if (reply.sent) return;
    const error = namingProject(asDomainError(this.unrouted(thrown, request), request), request.ctx?.usedProject ?? null);
    request.state.errorCode = error.spec.code;
    const challenge = this.challenge.of(error, request);
    if (challenge !== null) reply.header('WWW-Authenticate', challenge);
    void reply.headers(headersOf(error)).status(error.spec.status);
    if (isOfPage(request)) {
      void reply.header('Vary', 'Accept');
      if (preferredType(request.headers.accept, ['application/json', 'text/html']) === 'text/html') {
        const [path, ...query] = request.url.split('?');
        // a path parameter is never empty, so the parent page is meant
        if (request.state.route === null && error.spec.status === 404 && request.method === 'GET' && /^\/[^/].*\/$/.test(path)) {
          void reply
            .code(303)
            .header('Location', [path.replace(/\/+$/, ''), ...query].join('?'))
            .send();
          return;
        }
        const { content, options } = errorPage(error, request.state.requestId, path.startsWith(CONSOLE));
        void reply.headers(options.headers ?? {}).send(content);
        return;
      }
    }
    const cause = causeOf(error, this.settings.environment);
    const envelope = envelopeOf(error, request.state.requestId, this.baseUrl.value, this.modules.anchorOf(error.spec), cause);
    void reply.type('application/json; charset=utf-8').send(JSON.stringify(envelope));
  }

  /** Nest reports a path that exists with other methods as not found. */
  private unrouted(thrown: unknown, { state, method, url }: Request): unknown {
    if (!(thrown instanceof NotFoundException) || state.route !== null) return thrown;
    try {
      this.pathMethods.requireUnknown(method, url);
      return thrown;
    } catch (notAllowed) {
      return notAllowed;
    }
  }
}

/** A page, or an unknown path outside the API. */
function isOfPage({ state: { route }, url }: Request): boolean {
  return route ? isPage(route) : !PROGRAMS.test(url);
}
