import type { Operation } from './operation.js';

interface Content {
  type?: string;
  body?: BodyInit;
}

/** A file is sent as it is, an object with files as a form, everything else as JSON. */
export function bodyOf(value: unknown, { json, form, raw }: NonNullable<Operation['body']>): Content {
  if (raw !== undefined && (isFile(value) || typeof value === 'string')) return { type: raw, body: value };
  if (form && hasFiles(value)) return { body: formOf(value) };
  if (!json) return {};
  return { type: 'application/json', body: JSON.stringify(value ?? {}) };
}

export function isStream(body: unknown): boolean {
  return body instanceof ReadableStream;
}

function isFile(value: unknown): value is BodyInit {
  return value instanceof Blob || value instanceof ArrayBuffer || ArrayBuffer.isView(value) || isStream(value);
}

function hasFiles(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((member) => [member].flat().some((item) => item instanceof Blob))
  );
}

/** Forms consist of texts and files, so other members are sent as JSON. */
function formOf(members: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(members)) {
    const files = [value].flat().filter((item) => item instanceof Blob);
    for (const file of files) form.append(name, file);
    if (files.length === 0 && value !== undefined && value !== null)
      form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form;
}
