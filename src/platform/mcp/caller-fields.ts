import { createHash } from 'node:crypto';
import { filterNames } from '../persistence/rows/custom-field-filters.js';
import type { DefinedField, OrganizationFields } from '../persistence/rows/custom-field-definitions.js';
import { comparedAs } from '../persistence/rows/custom-field-sql.js';
import { specOf } from '../persistence/rows/custom-field-rules.js';
import { jsonSchemaOf } from '../../kit/internal.js';
import type { CallerFields } from './catalog/custom-fields.js';
import { withoutTypeLists } from './catalog/listed-input.js';
import type { Json } from './protocol/protocol.js';

const NONE: CallerFields = { revision: '', schema: () => undefined };
const known = new WeakMap<OrganizationFields, Map<string | null, CallerFields>>();

/** What the tools of a key say about custom fields: those of its organization, and of the project to which it is pinned. */
export function callerFields(fields: OrganizationFields, projectId: string | null): CallerFields {
  let ofProjects = known.get(fields);
  if (!ofProjects) known.set(fields, (ofProjects = new Map()));
  let found = ofProjects.get(projectId);
  if (!found) ofProjects.set(projectId, (found = read(fields, projectId)));
  return found;
}

function read(fields: OrganizationFields, projectId: string | null): CallerFields {
  const all = fields.all.filter(({ deleted_at, active, project_id }) => deleted_at === null && active && isSeen(project_id, projectId));
  if (all.length === 0) return NONE;
  const schemas = new Map<string, Json | undefined>();
  return {
    revision: createHash('sha256').update(JSON.stringify(all)).digest('base64url').slice(0, 16),
    schema: (resource, use) => {
      const at = `${resource} ${use}`;
      if (!schemas.has(at))
        schemas.set(
          at,
          schemaOf(
            all.filter((one) => one.resource === resource),
            use,
          ),
        );
      return schemas.get(at);
    },
  };
}

function isSeen(project: string | null, pin: string | null): boolean {
  return pin === null || project === null || project === pin;
}

function schemaOf(definitions: readonly DefinedField[], use: 'values' | 'filters'): Json | undefined {
  const properties = use === 'values' ? valuesOf(definitions) : filtersOf(definitions);
  if (Object.keys(properties).length === 0) return undefined;
  const description = use === 'values' ? 'Custom fields.' : 'Values of custom fields; several of one field with commas.';
  return { type: 'object', description, properties, additionalProperties: false };
}

function valuesOf(definitions: readonly DefinedField[]): Record<string, Json> {
  return Object.fromEntries(
    definitions.map((definition) => {
      const { nullable: _, example: __, description, pattern: ___, type, enum: values, ...schema } = jsonSchemaOf(specOf(definition));
      const notes = [description, ...(definition.required ? ['Required in new ones.'] : []), ...wordsOf(definition)];
      const options = values === undefined ? {} : { enum: values };
      return [definition.key, withoutTypeLists({ type, ...options, ...schema, description: notes.join(' ') })];
    }),
  );
}

/** What the schema cannot say. */
function wordsOf({ type, project_key }: DefinedField): string[] {
  return [...(type === 'time' ? ['HH:MM.'] : []), ...(project_key === null ? [] : [`Only in project ${project_key}.`])];
}

function filtersOf(definitions: readonly DefinedField[]): Record<string, Json> {
  return Object.fromEntries(
    [...filterNames(definitions)].map(([name, { definition, bound }]) => {
      if (bound !== null) return [name, { type: comparedAs(definition) === 'number' ? 'number' : 'string' }];
      const allowed = definition.options.length > 0 ? `: ${definition.options.join(', ')}` : '';
      return [name, { type: 'string', description: `${definition.label}${allowed}; none for those without.` }];
    }),
  );
}
