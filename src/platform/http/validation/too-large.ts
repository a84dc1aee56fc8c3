import type { FastifyRequest } from 'fastify';
import type { DomainError } from '../../../kit/index.js';
import type { FilesOption } from '../../../kit/internal.js';
import { filesTooLarge, isMultipart } from './form-body.js';
import { bodyTooLarge } from './read-body.js';

/** What tells how large a body may be. */
export type SizedRequest = Pick<FastifyRequest, 'headers' | 'routeOptions' | 'server'>;

/** The error of a body that is larger than its route accepts: of a file, with its field. */
export function tooLarge({ headers, routeOptions, server }: SizedRequest): DomainError {
  const { bodyLimit, files } = routeOptions.config as { bodyLimit?: number; files?: FilesOption };
  const contentType = headers['content-type'];
  if (files && isMultipart(contentType)) return filesTooLarge(files, 'The form is too large: ');
  if (files && isFile(contentType, files)) return filesTooLarge(files);
  const limit = bodyLimit ?? (files ? undefined : routeOptions.bodyLimit) ?? server.initialConfig.bodyLimit;
  return bodyTooLarge(limit, files && `Send ${files.field} as ${otherTypesOf(files).join(' or ')}, or a smaller body.`);
}

/** Whether the body is a file itself. */
export function isFile(contentType: string | undefined, { mediaType }: FilesOption): boolean {
  return mediaType !== undefined && contentType !== undefined && mediaTypeOf(contentType) === mediaType;
}

export function mediaTypeOf(contentType: string): string {
  return contentType.split(';')[0].trim().toLowerCase();
}

/** Types of bodies with files, beside JSON. */
export function otherTypesOf({ mediaType }: FilesOption): string[] {
  return ['multipart/form-data', ...(mediaType === undefined ? [] : [mediaType])];
}
