import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { CommonErrors } from '../../kit/index.js';
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { ModuleRegistry } from '../registry/module-registry.js';
import type { Request } from '../request/request-state.js';

const SLOW_MS = 5_000;
/** The guard plays these; modules find the names of their own in the context. */
const BUILT_IN = ['connection_lost', 'internal_error', 'rate_limited', 'response_lost', 'slow_response', 'unavailable'];

/** Simulates failures that a test key requests with `Svc-Test-Scenario`; a live key's header is ignored. */
@Injectable()
export class ScenarioGuard implements CanActivate {
  private readonly scenarios: readonly string[];

  constructor(modules: ModuleRegistry) {
    this.scenarios = [...new Set([...BUILT_IN, ...modules.manifests.flatMap(({ scenarios }) => scenarios ?? [])])];
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const scenario = request.headers['svc-test-scenario'];
    if (scenario === undefined || request.state.apiKeyId === null || request.ctx?.mode !== 'test') return true;
    if (typeof scenario !== 'string' || !this.scenarios.includes(scenario)) {
      throw CommonErrors.validationFailed({
        param: 'Svc-Test-Scenario',
        message: `Svc-Test-Scenario must be one of ${this.scenarios.join(', ')}`,
        allowed: this.scenarios,
      });
    }
    request.ctx.scenario = scenario;
    const { raw } = context.switchToHttp().getResponse<FastifyReply>();
    switch (scenario) {
      case 'rate_limited':
        throw CommonErrors.rateLimited({ headers: { 'Retry-After': '1' } });
      case 'unavailable':
        throw CommonErrors.unavailable({ headers: { 'Retry-After': '1' } });
      case 'internal_error':
        throw CommonErrors.internalError();
      case 'connection_lost':
        raw.destroy();
        throw CommonErrors.internalError();
      case 'response_lost':
        loseResponse(raw);
        return true;
      case 'slow_response':
        return sleep(SLOW_MS, true);
      default:
        return true;
    }
  }
}

/** The request is done, and its caller does not learn it: what was committed stays. */
function loseResponse(raw: ServerResponse): void {
  raw.writeHead = () => raw.destroy();
}
