import { CommonErrors, firstCharacters, type Upload } from '../../../kit/index.js';
import type { ImportLeadsQuery } from './lead-imports.dto.js';

/** A requested import: the file and how to read it. */
export interface ImportRequest {
  file: Buffer;
  file_name: string | null;
  project_id: string | undefined;
  dry_run: boolean;
  mapping: Record<string, unknown> | undefined;
}

const MAX_NAME_LENGTH = 255;

/** Reads both forms of the request: the plain file with options in the query, and a multipart form, whose fields take precedence. */
export async function importRequestOf({ contentType, bytes }: Upload, query: ImportLeadsQuery): Promise<ImportRequest> {
  const options = { file_name: null, project_id: query.project_id, dry_run: query.dry_run ?? false, mapping: mappingOf(query.mapping) };
  if (!contentType.toLowerCase().startsWith('multipart/')) return { ...options, file: bytes };
  const form = await formOf(contentType, bytes);
  const file = form.get('file');
  if (file === null) throw CommonErrors.missingFields({ param: 'file', message: 'file is required' });
  const [project, dryRun, mapping] = [textOf(form, 'project_id'), textOf(form, 'dry_run'), textOf(form, 'mapping')];
  if (dryRun !== undefined && dryRun !== 'true' && dryRun !== 'false')
    throw CommonErrors.validationFailed({ param: 'dry_run', message: 'dry_run must be true or false', allowed: ['true', 'false'] });
  return {
    file: typeof file === 'string' ? Buffer.from(file) : Buffer.from(await file.arrayBuffer()),
    file_name: typeof file === 'string' ? null : firstCharacters(file.name.replaceAll('\u0000', ''), MAX_NAME_LENGTH) || null,
    project_id: project ?? options.project_id,
    dry_run: dryRun === undefined ? options.dry_run : dryRun === 'true',
    mapping: mappingOf(mapping) ?? options.mapping,
  };
}

async function formOf(contentType: string, bytes: Buffer): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw CommonErrors.invalidBody({ message: 'The body is not a well-formed multipart/form-data body.' });
  }
}

function textOf(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function mappingOf(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  const mapping = parsed(text);
  if (typeof mapping === 'object' && mapping !== null && !Array.isArray(mapping)) return mapping as Record<string, unknown>;
  throw CommonErrors.validationFailed({ param: 'mapping', message: 'mapping must be a JSON object of column headings to fields' });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
