import { CommonErrors, firstCharacters, invalid, isObject, type CsvSource, type FormPart, type Upload } from '../../../kit/index.js';
import type { ImportLeadsQuery } from './lead-imports.dto.js';

/** A requested import: the file and how to read it. */
export interface ImportRequest {
  file: CsvSource;
  file_name: string | null;
  project_id: string | undefined;
  dry_run: boolean;
  /** Import the file even if it was imported before. */
  repeat: boolean;
  mapping: Record<string, unknown> | undefined;
  locale: string | undefined;
}

const MAX_NAME_LENGTH = 255;

/** Reads both forms of the request: the plain file with options in the query, and a multipart form, whose fields take precedence. */
export function importRequestOf(upload: Upload, query: ImportLeadsQuery): ImportRequest {
  const { project_id, dry_run = false, repeat: again = false } = query;
  const options = { file_name: null, project_id, dry_run, repeat: again, mapping: mappingOf(query.mapping), locale: query.locale };
  if (!upload.contentType.toLowerCase().startsWith('multipart/')) return { ...options, file: upload };
  const parts = upload.parts();
  const files = parts.filter(({ name }) => name === 'file');
  if (files.length !== 1)
    throw CommonErrors.missingFields({ param: 'file', message: files.length === 0 ? 'file is required' : 'file must be one file' });
  const [project, dryRun, mapping, repeat, locale] = ['project_id', 'dry_run', 'mapping', 'repeat', 'locale'].map((name) =>
    textOf(parts, name),
  );
  return {
    file: files[0],
    file_name: nameOf(files[0].fileName),
    project_id: project ?? options.project_id,
    dry_run: flagOf('dry_run', dryRun) ?? options.dry_run,
    repeat: flagOf('repeat', repeat) ?? options.repeat,
    mapping: mappingOf(mapping) ?? options.mapping,
    locale: locale ?? options.locale,
  };
}

function nameOf(fileName: string | null): string | null {
  return firstCharacters(fileName?.replaceAll('\u0000', '').toWellFormed() ?? '', MAX_NAME_LENGTH) || null;
}

/** The last value of a repeated field counts. */
function textOf(parts: readonly FormPart[], name: string): string | undefined {
  return (
    parts
      .findLast((part) => part.name === name)
      ?.bytes.toString('utf8')
      .trim() || undefined
  );
}

function flagOf(param: string, text: string | undefined): boolean | undefined {
  if (text !== undefined && text !== 'true' && text !== 'false')
    throw CommonErrors.validationFailed({ param, message: `${param} must be true or false`, allowed: ['true', 'false'] });
  return text === undefined ? undefined : text === 'true';
}

function mappingOf(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  const mapping = parsed(text);
  if (isObject(mapping)) return mapping;
  throw invalid('mapping', 'must be a JSON object of column headings to fields');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
