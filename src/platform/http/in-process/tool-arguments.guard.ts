import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { mcpCallOf } from '../../request/server-request.js';

/** Replaces arguments of a tool call that name records by other than their ids: after the limits, because it may read them. */
@Injectable()
export class ToolArgumentsGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { raw, query, body } = context.switchToHttp().getRequest<FastifyRequest>();
    const replaced = mcpCallOf(raw)?.withIds?.([query, body]);
    return replaced === undefined ? true : replaced.then(() => true);
  }
}
