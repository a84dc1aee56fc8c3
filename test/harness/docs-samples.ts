import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { unpackClient } from './client-package.js';
import { explainSkippedTests } from './skipped-tests.js';

/** The samples of an operation, as the reference shows them. */
export interface DocumentedSample {
  path: string;
  /** Null for what is no tool. */
  mcp: string | null;
  curl: string;
  typeScript: string;
  python: string;
  /** What readers replace first; null if the samples work as they are. */
  replaced: string | null;
}

/** The samples of the reference, whose pages as Markdown have one section for each operation. */
export async function documentedSamples(url: string, prefix: string): Promise<DocumentedSample[]> {
  const listed = await (await fetch(`${url}/llms.txt`)).text();
  const pages = [...listed.matchAll(/\]\([^)]*(\/docs\/api\/([^/)]+)\/[^)]+\.md)\)/g)].flatMap(([, path, of]) =>
    of === prefix ? [path] : [],
  );
  const samples: DocumentedSample[] = [];
  for (const path of pages) {
    const text = await (await fetch(url + path)).text();
    for (const section of text.split(/^## /m)) {
      const codeOf = (label: string) => new RegExp(`^${label}:\n\n\`\`\`\\w+\n([\\s\\S]*?)\n\`\`\``, 'm').exec(section)?.[1];
      const [curl, typeScript, python, mcp] = ['curl', 'TypeScript', 'Python', 'MCP'].map(codeOf);
      if (curl !== undefined && typeScript !== undefined && python !== undefined)
        samples.push({ path, curl, typeScript, python, mcp: mcp ?? null, replaced: /^Replace `.*/m.exec(section)?.[0] ?? null });
    }
  }
  return samples;
}

/** What the API answered: the code of its error, or null. */
export interface SampleAnswer {
  code: string | null;
  message: string;
}

/** What is wrong with the samples themselves. The ids in them are invented, so nothing may be found under them. */
export async function faultsOf(samples: readonly DocumentedSample[], runner: SampleRunner): Promise<string[]> {
  const executed = await Promise.all(
    samples.map(async (sample) => {
      const answers: [string, SampleAnswer][] = [];
      for (const kind of ['curl', 'typeScript', ...(sample.mcp === null ? [] : ['mcp' as const])] as const)
        answers.push([`${sample.path} ${kind}`, await runner[kind](sample[kind]!)]);
      return answers;
    }),
  );
  const inPython = (await runner.python(samples.map(({ python }) => python))).map((answer, index): [string, SampleAnswer] => [
    `${samples[index].path} Python`,
    answer,
  ]);
  return [...executed.flat(), ...inPython]
    .filter(([, { code, message }]) => code !== null && !INVENTED.some((expected) => expected.test(`${code}: ${message}`)))
    .map(([where, { code, message }]) => `${where} ${code}: ${message}`);
}

const INVENTED = [
  /^not_found: /,
  /^validation_failed: \w*(\.\w+)*_id must be /,
  /^validation_failed: type_code .* is not a type/,
  // a picture or an address
  /^validation_failed: (file_url could not be downloaded|content_base64 must be a PNG)/,
  // another sample has created it
  /^duplicate: /,
  /^key_missing_actor: /,
];

const PYTHON = '/usr/bin/python3';

/** Executes the samples of a list, and writes a line for each: what the API answered to an error, or an empty object. */
const PYTHON_RUNNER = `
import json, sys, types, urllib.parse, urllib.request
try:
    import requests
except ImportError:
    class HTTPError(Exception):
        def __init__(self, response):
            self.response = response
    class Response:
        def __init__(self, status, content):
            self.status_code, self.content = status, content
        def json(self):
            return json.loads(self.content)
        def raise_for_status(self):
            if self.status_code >= 400:
                raise HTTPError(self)
    def sender(method):
        def send(url, params=None, headers={}, json=None, data=None):
            body = data if json is None else __import__("json").dumps(json)
            headers = {**headers, **({} if json is None else {"Content-Type": "application/json"})}
            body = body.read() if hasattr(body, "read") else body.encode() if isinstance(body, str) else body
            query = "" if not params else "?" + urllib.parse.urlencode(params, doseq=True)
            request = urllib.request.Request(url + query, method=method, headers=headers, data=body)
            try:
                with urllib.request.urlopen(request) as response:
                    return Response(response.status, response.read())
            except urllib.error.HTTPError as error:
                return Response(error.code, error.read())
        return send
    requests = types.ModuleType("requests")
    for name in ["get", "post", "put", "patch", "delete"]:
        setattr(requests, name, sender(name.upper()))
    requests.exceptions = types.SimpleNamespace(HTTPError=HTTPError)
    sys.modules["requests"] = requests
for code in json.load(sys.stdin):
    try:
        exec(code, {"print": lambda *values: None})
        answer = {}
    except requests.exceptions.HTTPError as error:
        answer = error.response.json()
    except Exception as error:
        answer = {"error": {"code": type(error).__name__, "message": str(error)}}
    print(json.dumps(answer), flush=True)
`;

/** Executes samples with a key, and what they name replaced by what exists. */
export class SampleRunner {
  private readonly folder = mkdtempSync(join(tmpdir(), 'work-suite-samples-'));
  private count = 0;

  private constructor(
    private readonly url: string,
    private readonly key: string,
    private readonly existing: Readonly<Record<string, string>>,
  ) {}

  static async of(url: string, key: string, existing: Readonly<Record<string, string>>): Promise<SampleRunner> {
    const runner = new SampleRunner(url, key, existing);
    await unpackClient(url, runner.folder);
    return runner;
  }

  /** With the shell and curl, as a reader would. */
  async curl(code: string): Promise<SampleAnswer> {
    const env = { ...process.env, WORK_SUITE_KEY: this.key };
    const { stdout } = await promisify(execFile)('sh', ['-c', this.replaced(code)], { env, cwd: this.folder, maxBuffer: 16 * 1024 * 1024 });
    return answerOf(stdout.startsWith('{') ? JSON.parse(stdout) : {});
  }

  /** In this process, with the client that the application serves. */
  async typeScript(code: string): Promise<SampleAnswer> {
    const file = join(this.folder, `sample-${this.count++}.mjs`);
    const silent = this.replaced(code)
      .replaceAll('console.log', 'void ')
      .replaceAll('process.env.WORK_SUITE_KEY', JSON.stringify(this.key));
    writeFileSync(file, silent);
    try {
      await import(pathToFileURL(file).href);
      return { code: null, message: '' };
    } catch (error) {
      const { code: found, message } = error as SampleAnswer;
      if (typeof found !== 'string') throw error;
      return { code: found, message };
    }
  }

  /** All in one process; none without Python. Where the library `requests` is not installed, one of the same names takes its place. */
  async python(codes: readonly string[]): Promise<SampleAnswer[]> {
    if (!existsSync(PYTHON)) {
      explainSkippedTests('The samples in Python are not executed: there is no Python (Debian: apt-get install python3).');
      return [];
    }
    const env = { ...process.env, WORK_SUITE_KEY: this.key };
    const child = spawn(PYTHON, ['-c', PYTHON_RUNNER], { env, cwd: this.folder, stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.end(JSON.stringify(codes.map((code) => this.replaced(code))));
    const output = Buffer.concat(await child.stdout.toArray()).toString();
    return output
      .trim()
      .split('\n')
      .map((line) => answerOf(JSON.parse(line)));
  }

  async mcp(code: string): Promise<SampleAnswer> {
    const response = await fetch(`${this.url}/api/v1/ext/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...(JSON.parse(this.replaced(code)) as object) }),
    });
    const { result, error } = (await response.json()) as {
      result?: { isError?: boolean; content: { text: string }[] };
      error?: { message: string };
    };
    if (error) return { code: 'json_rpc', message: error.message };
    return result!.isError ? answerOf(JSON.parse(result!.content[0].text)) : { code: null, message: '' };
  }

  close(): void {
    rmSync(this.folder, { recursive: true });
  }

  private replaced(code: string): string {
    return Object.entries(this.existing).reduce((text, [written, real]) => text.replaceAll(written, real), code);
  }
}

function answerOf(body: unknown): SampleAnswer {
  const { error } = body as { error?: SampleAnswer };
  return error ? { code: error.code, message: error.message } : { code: null, message: '' };
}
