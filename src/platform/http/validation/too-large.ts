import type { FastifyRequest } from 'fastify';
import { CommonErrors, type DomainError } from '../../../kit/index.js';
import type { FilesOption } from '../../../kit/internal.js';
import { isMultipart } from './form-body.js';
import { bodyTooLarge } from './read-body.js';

/** What tells how large a body may be. */
export type SizedRequest = Pick<FastifyRequest, 'headers' | 'routeOptions' | 'server'>;

/** The error of a body that is larger than its route accepts. */
export function tooLarge({ headers, routeOptions, server }: SizedRequest): DomainError {
  const { bodyLimit, files } = routeOptions.config as { bodyLimit?: number; files?: FilesOption };
  if (files && isMultipart(headers['content-type']))
    return CommonErrors.payloadTooLarge({
      param: files.field,
      message: `The form is too large: ${files.field} must have at most ${files.bytes} bytes together.`,
    });
  const limit = bodyLimit ?? (files ? undefined : routeOptions.bodyLimit) ?? server.initialConfig.bodyLimit;
  return bodyTooLarge(limit);
}
