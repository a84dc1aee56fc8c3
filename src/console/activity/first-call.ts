import { html, type Html } from '../../kit/index.js';
import { isOrdinary } from '../components/key-link.js';
import { codeBlock } from '../components/blocks.js';
import { tabOf, tabs } from '../components/lists.js';
import type { Visit } from '../frame/visit.js';

export const LANGUAGES = [
  { key: 'curl', label: 'curl' },
  { key: 'typescript', label: 'TypeScript' },
  { key: 'python', label: 'Python' },
  { key: 'mcp', label: 'MCP' },
];

/** The first module with ordinary keys that lists projects, with the path of that list. */
function firstModule(visit: Visit): { name: string; title: string; path: string } | undefined {
  return visit.site.modules
    .filter(({ name }) => isOrdinary(visit, name))
    .flatMap(({ name, title, prefix }) => {
      const path = `/api/v1/ext/${prefix}/projects`;
      return visit.site.routes.some((route) => route.path === path) ? [{ name, title, path }] : [];
    })
    .at(0);
}

/** How to make the first call, for those who have made none. */
export function firstCall(visit: Visit): Html {
  const language = tabOf(visit, LANGUAGES);
  const makes = visit.can('org.developer.apikeys.manage');
  const first = firstModule(visit);
  if (!first) return html``;
  const newKey = visit.link('/keys/new', { module: first.name, mode: 'test' });
  const label = LANGUAGES.find(({ key }) => key === language)!.label;
  return html`<h2>Make the first call</h2>
<p>Nothing has called the API with ${visit.mode} keys yet. Begin with a test key: its calls see and change test data only. ${
    makes
      ? html`<a href="${newKey}">Create a test key for ${first.title}</a>, and put its secret into <code>SVC_KEY</code>.`
      : html`Ask somebody who manages API keys for one of ${first.title}, and put its secret into <code>SVC_KEY</code>.`
  }</p>
${tabs(visit, LANGUAGES)}${codeBlock(exampleIn(language, visit.site.baseUrl + first.path, visit.site.baseUrl), {
    id: 'first-call',
    label: `Example in ${label}`,
  })}
<p>A second later the call is in the <a href="${visit.link('/logs', { mode: 'test' })}">logs of test data</a>. The
<a href="/docs">reference</a> has every route.</p>`;
}

function exampleIn(language: string, url: string, baseUrl: string): string {
  if (language === 'typescript')
    return `const response = await fetch('${url}', {
  headers: { Authorization: \`Bearer \${process.env.SVC_KEY}\` },
});
console.log(response.status, await response.json());`;
  if (language === 'python')
    return `import json, os, urllib.request

request = urllib.request.Request('${url}',
    headers={'Authorization': 'Bearer ' + os.environ['SVC_KEY']})
print(json.load(urllib.request.urlopen(request)))`;
  if (language === 'mcp')
    return JSON.stringify(
      { mcpServers: { 'work-suite': { type: 'http', url: `${baseUrl}/api/v1/ext/mcp`, headers: { Authorization: 'Bearer <SVC_KEY>' } } } },
      null,
      2,
    );
  return `curl -sS ${url} \\\n  -H "Authorization: Bearer $SVC_KEY"`;
}
