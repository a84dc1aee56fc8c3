import { CommonErrors, Upload } from '../../../kit/index.js';
import { readMultipart } from '../../../kit/internal.js';
import { isMultipart, textOf } from './form-body.js';
import { nestedMembers, readPageBody, requireUtf8 } from './read-body.js';

const NO_BYTES = Buffer.alloc(0);

/**
 * Separates the file from the other fields of a page's form. `raw` is null if the form was too large and was discarded. A form
 * without multipart/form-data is read as on other pages and has no file.
 */
export function readPageUpload(raw: unknown, contentType = '', field: string): { body: unknown; upload: Upload } {
  if (raw === null) return { body: {}, upload: new Upload(contentType, NO_BYTES, true) };
  if (!Buffer.isBuffer(raw) || !isMultipart(contentType))
    return { body: readPageBody(raw, contentType), upload: new Upload(contentType, NO_BYTES) };
  requireUtf8(contentType);
  const parts = readMultipart(raw, contentType);
  const files = parts.filter(({ name }) => name === field);
  if (files.length > 1) throw CommonErrors.validationFailed({ param: field, message: `${field} must be one file.` });
  const texts = parts.filter(({ name }) => name !== field).map(({ name, bytes }): [string, string] => [name, textOf(bytes)]);
  const file = files.at(0);
  return { body: nestedMembers(texts), upload: new Upload(file?.contentType ?? '', file?.bytes ?? NO_BYTES) };
}
