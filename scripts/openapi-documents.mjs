// Writes the OpenAPI documents of the built product into a folder: node scripts/openapi-documents.mjs <folder>
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeApi } from '../dist/src/api-documents.js';
import { MODULES } from '../dist/src/modules.js';

const folder = process.argv[2];
const documents = await describeApi(MODULES);
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'openapi.json'), documents.keyed.content());
writeFileSync(join(folder, 'openapi.org.json'), documents.product.content());
writeFileSync(join(folder, 'openapi.public.json'), documents.public.content());
