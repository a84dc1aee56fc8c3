import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Lazy } from '../../kit/index.js';
import type { ApiDocument } from '../client/api-document.js';
import { Vocabulary } from '../mcp/text/vocabulary.js';
import type { PackedDocument } from '../openapi/packed-document.js';
import type { PublishedFile, PublishedFiles } from './published-files.js';
import { DOCS_SCRIPT, DOCS_SCRIPT_FILE } from './reference/docs-script.js';
import { searchIndex } from './reference/search-index.js';
import { SEARCH_SCRIPT, SEARCH_SCRIPT_FILE } from './reference/search-script.js';
import { DOCS_POLICY, docsPage } from './reference/frame.js';
import type { SampleIds } from './sample-ids.js';
import { llmsText, markdownPage, MISSING, siteOf, type SiteSource } from './reference/site.js';

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

type Installed = Omit<SiteSource, 'document' | 'memberDocument' | 'baseUrl' | 'sampleIds'> & {
  document: PackedDocument;
  memberDocument: PackedDocument;
  baseUrl: () => string;
  sampleIds: () => Promise<SampleIds>;
};

/** Serves the pages below `/docs`, made when they are first read. */
export function installReference(files: PublishedFiles, { document, memberDocument, baseUrl, sampleIds, ...source }: Installed): void {
  const site = new Lazy(async () => {
    const { pages, reference } = siteOf({
      ...source,
      document: JSON.parse(document.content().toString()) as ApiDocument,
      memberDocument: JSON.parse(memberDocument.content().toString()) as ApiDocument,
      baseUrl: baseUrl(),
      sampleIds: await sampleIds(),
    });
    return { pages, reference, byPath: new Map(pages.map((page) => [page.path, page])) };
  });
  const vocabulary = new Vocabulary(source.modules.manifests.map(({ name, agentWords }) => ({ module: name, ...agentWords })));
  const pageAt = async (path: string): Promise<PublishedFile | null> => {
    const { pages, byPath } = await site.get();
    const page = byPath.get(path);
    if (page) return { type: HTML, content: () => docsPage(page, pages), policy: DOCS_POLICY };
    const source = path.endsWith('.md') ? byPath.get(path.slice(0, -3)) : undefined;
    return source ? { type: MARKDOWN, content: () => markdownPage(source) } : null;
  };
  const start = async (path: string) => String(await (await pageAt(path))!.content());
  for (const path of ['/docs', '/docs/', '/docs/index.html'])
    files.add(path, { type: HTML, content: () => start('/docs'), policy: DOCS_POLICY });
  files.add('/docs.md', { type: MARKDOWN, content: () => start('/docs.md') });
  const missing = async () => docsPage(MISSING, (await site.get()).pages);
  files.addBelow('/docs', (rest) => pageAt(`/docs/${rest}`), { type: HTML, content: missing, policy: DOCS_POLICY });
  files.add('/docs/search.json', {
    type: JSON_TYPE,
    content: async () => JSON.stringify(searchIndex((await site.get()).pages, vocabulary)),
  });
  files.add('/llms.txt', { type: TEXT, content: async () => llmsText((await site.get()).pages, baseUrl()) });
  files.add('/llms-full.txt', { type: TEXT, content: async () => (await site.get()).pages.map(markdownPage).join('\n') });
  files.add(`/docs/assets/${DOCS_SCRIPT_FILE}`, { type: SCRIPT, content: () => DOCS_SCRIPT, isHashed: true });
  files.add(`/docs/assets/${SEARCH_SCRIPT_FILE}`, { type: SCRIPT, content: () => SEARCH_SCRIPT, isHashed: true });
  files.add('/docs/assets/minisearch.js', { type: SCRIPT, content: () => readFile(minisearchFile(), 'utf8') });
}

/** The build for browsers, which is beside that for Node. */
function minisearchFile(): string {
  return join(dirname(createRequire(import.meta.url).resolve('minisearch')), '..', 'es', 'index.js');
}
