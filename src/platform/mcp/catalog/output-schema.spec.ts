import { describe, expect, it } from '@jest/globals';
import { structureOf } from './output-schema.js';

describe('structureOf', () => {
  it('keeps the structure and drops descriptions, bounds, and the fields of nested and optional objects', () => {
    const project = { type: 'object', description: 'The project.', properties: { id: { type: 'string' } }, required: ['id'] };
    expect(
      structureOf({
        type: 'object',
        description: 'A task.',
        properties: {
          title: { type: 'string', minLength: 1, pattern: '\\S', description: 'In one line.' },
          state: { type: 'string', enum: ['open', 'done'], description: 'Its state.' },
          description: { type: ['string', 'null'], maxLength: 100 },
          labels: { type: 'array', maxItems: 5, items: project },
          project,
          owner: project,
          rows: {
            type: 'array',
            items: {
              type: 'object',
              properties: { project, names: { type: 'array', items: { type: 'string', maxLength: 5 } } },
              required: ['project', 'names'],
            },
          },
          parent: { anyOf: [project, { type: 'null' }] },
          assignees: { type: 'array', items: project },
        },
        required: ['title', 'state', 'description', 'labels', 'owner', 'rows'],
      }),
    ).toEqual({
      type: 'object',
      properties: {
        title: { type: 'string' },
        state: { type: 'string', enum: ['open', 'done'] },
        description: { type: ['string', 'null'] },
        labels: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } },
        project: { type: 'object' },
        owner: { type: 'object' },
        rows: {
          type: 'array',
          items: {
            type: 'object',
            properties: { project: { type: 'object' }, names: { type: 'array', items: { type: 'string' } } },
            required: ['project', 'names'],
          },
        },
        parent: { anyOf: [{ type: 'object' }, { type: 'null' }] },
        assignees: { type: 'array' },
      },
      required: ['title', 'state', 'description', 'labels', 'owner', 'rows'],
    });
  });
});
