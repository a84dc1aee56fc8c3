import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Html } from '../../../kit/index.js';
import type { IconName } from '../../../kit/internal.js';
import { PACKAGE_ROOT, PROJECT_ROOT } from '../../config/project-root.js';
import { renderMarkdown, slugOf, type Links } from './markdown.js';
import { firstSentence, MOST_INDEXED, type DocsPage } from './pages.js';

const GUIDES_GROUP = 'Guides';

interface Guide {
  slug: string;
  picture: IconName;
  title: string;
  /** What readers call the subject besides. */
  words: string;
  /** Files of the package, and the sections of each; all of it by default. */
  sources: readonly (string | { file: string; section: string })[];
}

const REQUESTS = 'src/platform/http/README.md';

/** The guides in their order. Each text stands in one file, mostly the README beside the code. */
const GUIDES: readonly Guide[] = [
  {
    slug: 'first-call',
    picture: 'rocket',
    title: 'First call',
    words: 'start begin quickstart tutorial hello get_started curl example',
    sources: ['src/platform/docs/guides/first-call.md'],
  },
  {
    slug: 'authentication',
    picture: 'key-round',
    title: 'Authentication',
    words: 'login token bearer secret credentials api_key rotate throttle quota rate_limit permission scope',
    sources: ['src/platform/keys/README.md'],
  },
  {
    slug: 'projects-and-modes',
    picture: 'layers',
    title: 'Projects and modes',
    words: 'workspace tenant account sandbox live test separate',
    sources: [{ file: REQUESTS, section: 'Projects and modes' }],
  },
  {
    slug: 'idempotency',
    picture: 'repeat',
    title: 'Idempotency',
    words: 'retry repeat duplicate twice safe timeout resend',
    sources: [{ file: REQUESTS, section: 'Idempotency' }],
  },
  {
    slug: 'lists',
    picture: 'list',
    title: 'Lists and cursors',
    words: 'pagination paging paginate page filter sort export csv total number key sku id',
    sources: [
      { file: REQUESTS, section: 'Lists' },
      { file: REQUESTS, section: 'Numbers in place of ids' },
    ],
  },
  {
    slug: 'dry-runs',
    picture: 'flask-conical',
    title: 'Dry runs and plans',
    words: 'preview simulate try_out rehearse confirm approve ask',
    sources: [
      { file: REQUESTS, section: 'Dry runs' },
      { file: REQUESTS, section: 'Plans' },
    ],
  },
  {
    slug: 'undo',
    picture: 'history',
    title: 'Undo and the bin',
    words: 'restore recover undelete trash deleted accident',
    sources: ['src/platform/docs/guides/undo.md'],
  },
  {
    slug: 'errors',
    picture: 'circle-alert',
    title: 'Errors',
    words: 'status code failure problem exception troubleshoot',
    sources: [{ file: REQUESTS, section: 'Errors' }],
  },
  {
    slug: 'webhooks',
    picture: 'webhook',
    title: 'Webhooks',
    words: 'notify notification callback subscribe listen signature verify hmac',
    sources: ['src/platform/webhooks/README.md'],
  },
  {
    slug: 'events',
    picture: 'activity',
    title: 'Events for software',
    words: 'poll feed stream subscribe listen',
    sources: ['src/platform/developer/README.md'],
  },
  {
    slug: 'mcp',
    picture: 'plug',
    title: 'MCP clients',
    words: 'agent ai assistant llm tool connect claude chatgpt cursor vscode codex',
    sources: ['src/platform/mcp/README.md'],
  },
  {
    slug: 'oauth',
    picture: 'shield-check',
    title: 'OAuth for MCP clients',
    words: 'login log_in sign_in authorize authorise consent token',
    sources: ['src/platform/oauth/README.md'],
  },
  {
    slug: 'typed-client',
    picture: 'braces',
    title: 'The typed client',
    words: 'sdk library typescript javascript npm package',
    sources: ['src/client/README.md'],
  },
  {
    slug: 'test-mode',
    picture: 'flask-conical',
    title: 'Test mode',
    words: 'sandbox demo fake try simulate clock',
    sources: [{ file: REQUESTS, section: 'Test mode' }],
  },
  {
    slug: 'testing',
    picture: 'bot',
    title: 'Testing against the suite',
    words: 'sandbox fixture integration ci simulate trigger',
    sources: ['src/platform/docs/guides/testing.md'],
  },
  {
    slug: 'organization',
    picture: 'building-2',
    title: 'The organization',
    words: 'user team invite role permission password audit gdpr privacy export erase settings',
    sources: ['src/platform/docs/guides/organization.md'],
  },
  {
    slug: 'going-live',
    picture: 'send',
    title: 'Going live',
    words: 'production launch deploy checklist',
    sources: ['src/platform/docs/guides/going-live.md'],
  },
  {
    slug: 'versions',
    picture: 'history',
    title: 'Versions and changelog',
    words: 'changelog deprecate deprecation upgrade release breaking_change news',
    sources: ['CHANGELOG.md', 'UPGRADING.md'],
  },
];

const addressOf = ({ slug }: Guide) => `/docs/guides/${slug}`;

/** The guide of each file or section, to which its links lead. */
const BY_SOURCE = new Map(
  GUIDES.flatMap((guide) =>
    guide.sources.map((source) => [typeof source === 'string' ? source : `${source.file}#${slugOf(source.section)}`, guide] as const),
  ),
);

export interface GuideContext {
  baseUrl: string;
  links: Links;
  /** Replaces `{{name}}` in texts. */
  values: Readonly<Record<string, () => string>>;
}

export function guidePages(context: GuideContext): DocsPage[] {
  return GUIDES.map((guide) =>
    textPage(
      { path: addressOf(guide), title: guide.title, group: GUIDES_GROUP, picture: guide.picture },
      () => guide.sources.map(sourceOf).join('\n\n'),
      context,
      guide.words,
    ),
  );
}

/** The README of a module, of the suite or of the project that runs; null for one in a package. */
export function moduleReadme(name: string): Source | null {
  const file = join('src', 'modules', name.replaceAll('_', '-'), 'README.md');
  const root = [PROJECT_ROOT, PACKAGE_ROOT].find((folder) => existsSync(join(folder, file)));
  return root === undefined ? null : { file, text: bodyOf(readFileSync(join(root, file), 'utf8')) };
}

interface Source {
  file: string;
  text: string;
}

/** Before a heading; in no text. */
const MARK = '\0';

/** A page whose text is Markdown. */
export function textPage(
  page: Pick<DocsPage, 'path' | 'title' | 'group' | 'picture'>,
  read: () => string,
  { baseUrl, links, values }: GuideContext,
  words = '',
): DocsPage {
  const text = () =>
    read()
      .replaceAll('http://localhost:3000', baseUrl)
      .replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name]?.() ?? '');
  const rendered = () => renderMarkdown(text(), links);
  return {
    ...page,
    hasSamples: false,
    isText: true,
    get summary() {
      return firstSentence(
        text()
          .replace(/^#.*$/gm, '')
          .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
          .trim(),
      );
    },
    get parts() {
      return rendered().headings.filter(({ level }) => level === 2);
    },
    html: () => new Html(`<div class="prose">${rendered().html}</div>`),
    markdown: text,
    search: () => {
      const { headings } = rendered();
      const sections = headings.filter(({ level }) => level === 2 || level === 3);
      // fenced code is matched as a whole: its lines may begin like headings
      const parts = text()
        .replace(/^```[^]*?^```|^(?=#{2,3} )/gm, (code) => code || MARK)
        .split(MARK);
      return parts.map((part, index) => {
        const section = index === 0 ? undefined : sections[index - 1];
        return {
          title: section?.title ?? page.title,
          place: section === undefined ? page.group : page.title,
          path: section === undefined ? page.path : `${page.path}#${section.id}`,
          kind: 'guide' as const,
          ...(section === undefined ? { words } : {}),
          text: part.replace(/[`*#|[\]()]/g, ' ').slice(0, MOST_INDEXED),
        };
      });
    },
  };
}

function sourceOf(source: Guide['sources'][number], index: number): string {
  const { file, section } = typeof source === 'string' ? { file: source, section: null } : source;
  const text = readFileSync(join(PACKAGE_ROOT, file), 'utf8');
  return withAddresses(section === null ? bodyOf(text) : `${index > 0 ? `## ${section}\n\n` : ''}${sectionOf(text, section, file)}`, file);
}

/** Without the heading of the file, which is that of the page. */
function bodyOf(text: string): string {
  return text.replace(/^# .*\n+/, '');
}

function sectionOf(text: string, title: string, file: string): string {
  const section = text.split(/^(?=## )/m).find((part) => part.startsWith(`## ${title}\n`));
  if (section === undefined) throw new Error(`${file} has no section "${title}".`);
  return section.replace(/^## .*\n+/, '');
}

const LINK = /\[([^\]]+)\]\((?!https?:|\/|#)([^)\s#]+)(#[^)]*)?\)/g;

/** Links to files of guides lead to these; of others, only the words stay. */
export function withAddresses(text: string, file: string): string {
  return text.replace(LINK, (_, words: string, target: string, anchor = '') => {
    const source = relative('/', join('/', dirname(file), target));
    const section = BY_SOURCE.get(source + anchor);
    const guide = section ?? BY_SOURCE.get(source);
    return guide === undefined ? words : `[${words}](${addressOf(guide)}${section ? '' : anchor})`;
  });
}
