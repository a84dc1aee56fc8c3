import { isUtf8 } from 'node:buffer';
import type { Type } from '@nestjs/common';
import { CommonErrors, fieldsOf, SentFile, type DomainError, type FormPart } from '../../../kit/index.js';
import { readMultipart, type FieldSpec, type FilesOption } from '../../../kit/internal.js';
import { parseJson, UnacceptableJson } from './parse-json.js';
import { refusalOf, requireUtf8 } from './read-body.js';

const MULTIPART = /^multipart\/form-data\s*;/i;
const NUMBERS: readonly string[] = ['integer', 'number'];
const MAPS: readonly string[] = ['map', 'text_or_map'];

export function isMultipart(contentType = ''): boolean {
  return MULTIPART.test(contentType);
}

/**
 * Reads a multipart/form-data body as the JSON body that it represents, and its files. A form sends texts only, so each becomes what its
 * field in the DTO is; a text that is none stays, and validation reports it.
 */
export function readFormBody(raw: unknown, contentType = '', dto: Type, filesOption: FilesOption): { body: object; files: SentFile[] } {
  const { field, most, bytes } = filesOption;
  requireUtf8(contentType);
  if (!Buffer.isBuffer(raw)) throw CommonErrors.invalidBody();
  const parts = readMultipart(raw, contentType);
  const isFile = ({ name }: FormPart) => name === field || name === `${field}[]`;
  const files = parts
    .filter(isFile)
    // browsers send an empty part if no file was chosen
    .filter(({ fileName, bytes: content }) => fileName !== '' || content.length > 0)
    .map((part) => new SentFile(part.fileName ?? '', part.contentType, part.bytes));
  if (files.length > most) throw CommonErrors.validationFailed({ param: field, message: `${field} must be at most ${most} files` });
  if (files.reduce((sum, file) => sum + file.bytes.length, 0) > bytes) throw filesTooLarge(filesOption);
  return {
    body: bodyOf(
      parts.filter((part) => !isFile(part)),
      dto,
    ),
    files,
  };
}

export function filesTooLarge({ field, most, bytes }: FilesOption, prefix = ''): DomainError {
  return CommonErrors.payloadTooLarge({
    param: field,
    message: `${prefix}${field} must have at most ${bytes} bytes${most > 1 ? ' together' : ''}.`,
  });
}

export function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw CommonErrors.invalidBody({ message: 'The body is not valid UTF-8.' });
  return bytes.toString('utf8');
}

function bodyOf(parts: readonly FormPart[], dto: Type): object {
  const members = new Map<string, unknown>();
  const fields = fieldsOf(dto);
  const inner = new Map<string, FormPart[]>();
  for (const part of parts) {
    if (part.fileName !== null)
      throw CommonErrors.validationFailed({ param: part.name, message: `${part.name} must be text; send files in the field of files` });
    const name = part.name.replace(/\[\]$/, '');
    const dot = name.indexOf('.');
    const object = dot > 0 ? name.slice(0, dot) : '';
    if (fields.get(object)?.type) {
      if (members.has(object)) throw sentTwice(object);
      inner.set(object, [...(inner.get(object) ?? []), { ...part, name: name.slice(dot + 1) }]);
      continue;
    }
    const spec = fields.get(name);
    const value = valueOf(spec, textOf(part.bytes));
    if (inner.has(name) || (members.has(name) && !spec?.list)) throw sentTwice(name);
    members.set(name, spec?.list ? [...((members.get(name) as unknown[] | undefined) ?? []), ...[value].flat()] : value);
  }
  for (const [name, own] of inner) members.set(name, bodyOf(own, fields.get(name)!.type!()));
  // fromEntries instead of assignment, because a name may be __proto__
  return Object.fromEntries(members) as object;
}

/** One of two values would be lost. */
function sentTwice(name: string): DomainError {
  return CommonErrors.validationFailed({ param: name, message: `${name} must be sent once` });
}

function valueOf(spec: FieldSpec | undefined, text: string): unknown {
  if (spec === undefined) return text;
  if (spec.type || (spec.list && text.startsWith('[')) || (MAPS.includes(spec.kind) && text.startsWith('{'))) return parsed(text);
  if (spec.kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (NUMBERS.includes(spec.kind) && /^-?\d+$/.test(text)) return Number(text);
  return text;
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof UnacceptableJson) throw refusalOf(error);
    return text;
  }
}
