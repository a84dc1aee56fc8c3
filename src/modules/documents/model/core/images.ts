import type { FieldSchema, ScalarField } from './field-schema.js';

const REFERENCE = /^image:[0-9a-f]{64}$/;

export const IMAGE_NOUN = 'the reference of a picture that upload_document_image returned, such as image:b94d27…';

/** What a value that names a picture looks like. */
export function isImageReference(text: string): boolean {
  return REFERENCE.test(text);
}

export function imageReference(sha256: string): string {
  return `image:${sha256}`;
}

export function sha256In(reference: string): string {
  return reference.slice('image:'.length);
}

/** The pictures that values name, with the path of each value. */
export function imagesIn(schema: Pick<FieldSchema, 'properties'>, values: Record<string, unknown>): [path: string, reference: string][] {
  return Object.entries(schema.properties).flatMap(([name, property]): [string, string][] => {
    const value = values[name];
    if (property.type === 'array')
      return (Array.isArray(value) ? (value as Record<string, unknown>[]) : []).flatMap((row, index) =>
        imagesIn(property.items, row).map(([path, reference]): [string, string] => [`${name}.${index}.${path}`, reference]),
      );
    return isImage(property) && typeof value === 'string' ? [[name, value]] : [];
  });
}

export function isImage({ 'x-format': format }: Pick<ScalarField, 'x-format'>): boolean {
  return format === 'image';
}
