import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ApiDocument } from '../client/api-document.js';
import { Vocabulary } from '../mcp/text/vocabulary.js';
import type { PackedDocument } from '../openapi/packed-document.js';
import type { PublishedFile, PublishedFiles } from './published-files.js';
import { DOCS_SCRIPT, DOCS_SCRIPT_FILE } from './reference/docs-script.js';
import { searchIndex } from './reference/search-index.js';
import { SEARCH_SCRIPT, SEARCH_SCRIPT_FILE } from './reference/search-script.js';
import { DOCS_POLICY, docsPage } from './reference/frame.js';
import type { DocsPage } from './reference/pages.js';
import type { SampleIds } from './reference/sample-ids.js';
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
  let made: { ids: SampleIds; pages: readonly DocsPage[]; byPath: ReadonlyMap<string, DocsPage> } | undefined;
  // pages may be read before the demo is made, which changes the ids
  const site = async () => {
    const ids = await sampleIds();
    if (made?.ids === ids) return made;
    const { pages } = siteOf({
      ...source,
      document: JSON.parse(document.content().toString()) as ApiDocument,
      memberDocument: JSON.parse(memberDocument.content().toString()) as ApiDocument,
      baseUrl: baseUrl(),
      sampleIds: ids,
    });
    return (made = { ids, pages, byPath: new Map(pages.map((page) => [page.path, page])) });
  };
  const vocabulary = new Vocabulary(source.modules.manifests.map(({ name, agentWords }) => ({ module: name, ...agentWords })));
  const pages = async () => (await site()).pages;
  const pageAt = async (path: string) => (await site()).byPath.get(path);
  const page = (find: () => Promise<DocsPage>): PublishedFile => ({
    type: HTML,
    content: async () => docsPage(await find(), await pages()),
    source: site,
    policy: DOCS_POLICY,
  });
  const html = (path: string) => page(async () => (await pageAt(path))!);
  const markdown = (path: string) => ({ type: MARKDOWN, content: async () => markdownPage((await pageAt(path))!), source: site });
  for (const path of ['/docs', '/docs/', '/docs/index.html']) files.add(path, html('/docs'));
  files.add('/docs.md', markdown('/docs'));
  const find = async (rest: string) => {
    const [path, withoutType] = [`/docs/${rest}`, `/docs/${rest}`.replace(/\.md$/, '')];
    return (await pageAt(path)) ? html(path) : (await pageAt(withoutType)) ? markdown(withoutType) : null;
  };
  files.addBelow(
    '/docs',
    find,
    page(async () => MISSING),
  );
  files.add('/docs/search.json', { type: JSON_TYPE, content: async () => JSON.stringify(searchIndex(await pages(), vocabulary)) });
  files.add('/llms.txt', { type: TEXT, content: async () => llmsText(await pages(), baseUrl()) });
  files.add('/llms-full.txt', { type: TEXT, content: async () => (await pages()).map(markdownPage).join('\n'), source: site });
  files.add(`/docs/assets/${DOCS_SCRIPT_FILE}`, { type: SCRIPT, content: () => DOCS_SCRIPT, isHashed: true });
  files.add(`/docs/assets/${SEARCH_SCRIPT_FILE}`, { type: SCRIPT, content: () => SEARCH_SCRIPT, isHashed: true });
  files.add('/docs/assets/minisearch.js', { type: SCRIPT, content: () => readFile(minisearchFile(), 'utf8') });
}

/** The build for browsers, which is beside that for Node. */
function minisearchFile(): string {
  return join(dirname(createRequire(import.meta.url).resolve('minisearch')), '..', 'es', 'index.js');
}
