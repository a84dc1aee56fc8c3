import { expect, test } from '@jest/globals';
import { documentOfTag } from './module-document.js';

test('the document of a tag has its operations and events, and the components that they refer to', () => {
  const refer = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
  const document = {
    info: { title: 'All', version: '1' },
    tags: [{ name: 'pads' }, { name: 'pens' }],
    paths: {
      '/pads': { get: { tags: ['pads'], responses: { 200: refer('responses', 'Pads') } }, post: { tags: ['pens'] } },
      '/pens': { get: { tags: ['pens'] } },
    },
    webhooks: { 'pad.created': { post: { tags: ['pads'] } }, 'pen.created': { post: { tags: ['pens'] } } },
    components: {
      schemas: { Pad: { properties: { cover: refer('schemas', 'Cover'), pad: refer('schemas', 'Pad') } }, Cover: {}, Pen: {} },
      responses: { Pads: { schema: refer('schemas', 'Pad') }, Pens: {} },
      examples: { pen: {} },
      securitySchemes: { apiKey: {} },
    },
  };
  expect(documentOfTag(document, 'pads', 'Pads')).toEqual({
    info: { title: 'Pads', version: '1' },
    tags: [{ name: 'pads' }],
    paths: { '/pads': { get: document.paths['/pads'].get } },
    webhooks: { 'pad.created': document.webhooks['pad.created'] },
    components: {
      schemas: { Pad: document.components.schemas.Pad, Cover: {} },
      responses: { Pads: document.components.responses.Pads },
      securitySchemes: { apiKey: {} },
    },
  });
});
