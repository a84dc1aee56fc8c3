import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { mcpCallOf } from '../../request/server-request.js';
import { readJsonBody } from './read-body.js';

/** Replaces arguments of a tool call that name records by other than their ids: after the limits, because it may read them. */
@Injectable()
export class ToolArgumentsGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const withIds = mcpCallOf(request.raw)?.withIds;
    if (!withIds) return true;
    const contentType = request.headers['content-type'];
    // the body is validated, and so parsed, later; files have no ids
    const body = contentType === 'application/json' ? readJsonBody(request.body, contentType) : undefined;
    return withIds([request.query, body]).then(() => {
      if (body !== undefined) request.body = Buffer.from(JSON.stringify(body));
      return true;
    });
  }
}
