import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';

// What docstrings of the public API show as TypeScript compiles as an author would write it: with imports from work-suite/kit and
// work-suite/testing.

const DOCSTRING = /\/\*\*(?:(?!\*\/)[\s\S])*\*\//g;
const BLOCK = /```ts\n([\s\S]*?)```/g;

/**
 * Functions, classes and decorators of the kit without an example: what an author extends or reads by its type only. Give one that you
 * export an example; do not add it here.
 */
const WITHOUT_EXAMPLE = [
  'ActorDto',
  'AmountTooLarge',
  'BaseEntity',
  'DatedResourceDto',
  'ImportResultDto',
  'Through',
  'Upload',
  // for readers of bodies and files that are not those of a route
  'asWritten',
  'keepLiteral',
  'readCsv',
  'rememberLiteral',
  'writeRows',
  'writtenValue',
];

/** What the files of an author's module are, from which examples import. */
const TRIP: Record<string, string> = {
  'trip.entity.ts': `import { Column, Entity } from 'typeorm';
import { BusinessEntity, CustomFields, TimeColumn, type CustomFieldValues } from 'work-suite/kit';

@Entity('trips')
export class Trip extends BusinessEntity {
  @Column('text') title: string;
  @Column('text') status: string;
  @Column('text', { nullable: true }) code: string | null;
  @Column('date') starts_on: string;
  @TimeColumn() ends_at: Date;
  @CustomFields('trip') custom_fields: CustomFieldValues;
}
`,
  'trip.dto.ts': `import {
  bothOf, defineEvents, event, Field, Listing, ProjectListQuery, ResourceDto, responseOf, shownOf } from 'work-suite/kit';
import type { Trip } from './trip.entity.js';

export class CreateTripDto {
  @Field.uuid({ description: 'Project.', example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10', required: false }) project_id?: string;
  @Field.string({ description: 'Where it goes.', example: 'Lyon' }) title: string;
  @Field.date({ description: 'First day.', example: '2026-11-29' }) starts_on: string;
}
export class TripDto extends bothOf(ResourceDto, shownOf(CreateTripDto, { title: true, starts_on: true })) {
  @Field.constant('trip') object: string;
}
@Listing({ sort: ['created_at'], defaultSort: '-created_at' })
export class TripsQuery extends ProjectListQuery {}
const permission = 'fleet.trip.view';
export const TripEvents = defineEvents({
  created: event({ name: 'trip.created', description: 'A trip was planned.', permission, payload: TripDto }),
  updated: event({ name: 'trip.updated', description: 'A trip was changed.', permission, payload: TripDto }),
});
export const tripView = (trip: Trip): TripDto => responseOf(TripDto, trip);
`,
  'src/modules/notes/notes.module.ts': 'export class NotesModule {}\n',
  'src/modules/fleet/fleet.module.ts': 'export class FleetModule {}\n',
  'src/modules/fleet/trips.service.ts': `import type { Ctx } from 'work-suite/kit';

export declare class TripsService {
  start(ctx: Ctx, body: { project_id: string }): Promise<{ id: string }>;
}
`,
};

/** What a module publishes, by the name under which a project imports it. */
function faceOf(file: string): [string, string[]] {
  return [`work-suite/modules/${basename(dirname(file))}`, [join(PROJECT_ROOT, file)]];
}

/** Where the examples stand, and their code. */
function examples(): { place: string; code: string }[] {
  const given = ['src/kit/**/*.ts', 'src/suite/*.ts', 'test/harness/*.ts', 'test/contract/module/*.ts'];
  const files = globSync(given, { cwd: PROJECT_ROOT }).filter((file) => !file.includes('spec.ts'));
  return files.flatMap((file) => {
    const text = readFileSync(join(PROJECT_ROOT, file), 'utf8');
    return [...text.matchAll(DOCSTRING)].flatMap((docstring) => {
      const line = text.slice(0, docstring.index).split('\n').length;
      const plain = docstring[0].replace(/^ *\* ?/gm, '');
      return [...plain.matchAll(BLOCK)].map(([, code]) => ({ place: `${file}:${line}`, code }));
    });
  });
}

/** The functions, classes and decorators that the index of a folder exports for authors, and the docstrings before them. */
function exported(...folder: string[]): { name: string; docstring: string }[] {
  const kit = join(PROJECT_ROOT, ...folder);
  const lists = readFileSync(join(kit, 'index.ts'), 'utf8').matchAll(/export \{([^}]*)\} from '\.\/([^']+)\.js'/g);
  return [...lists].flatMap(([, names, file]) => {
    const text = readFileSync(join(kit, `${file}.ts`), 'utf8');
    return names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .flatMap((name) => {
        const found = new RegExp(`^export (?:abstract )?(?:async )?(function|class|const) ${name}\\b.*`, 'm').exec(text);
        if (!found) throw new Error(`${file}.ts has no ${name}.`);
        // other constants are values, which their type and text explain
        if (found[1] === 'const' && !/Param|Object\.assign|= \{$/.test(found[0])) return [];
        const before = text.slice(0, found.index);
        const last = [...before.matchAll(DOCSTRING)].at(-1);
        const between = before.slice(last ? last.index + last[0].length : 0);
        // only decorators stand between a declaration and its docstring
        return [{ name, docstring: last && !/^(?:export|const|function|class|\})/m.test(between) ? last[0] : '' }];
      });
  });
}

test('each function, class and decorator that authors use has an example', () => {
  const lacking = [...exported('src', 'kit'), ...exported('test')].filter(({ docstring }) => !docstring.includes('```ts'));
  expect(lacking.map(({ name }) => name).sort()).toEqual([...WITHOUT_EXAMPLE].sort());
});

test('the examples in docstrings compile', () => {
  const found = examples();
  // below the repository, whose packages they import
  mkdirSync(join(PROJECT_ROOT, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(PROJECT_ROOT, 'dist', 'examples-'));
  try {
    for (const [name, text] of Object.entries(TRIP)) {
      mkdirSync(join(folder, dirname(name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    found.forEach(({ place, code }, at) => writeFileSync(join(folder, `example-${at}.ts`), `// ${place}\n${code}\nexport {};\n`));
    const paths = {
      'work-suite': [join(PROJECT_ROOT, 'src', 'suite', 'index.ts')],
      'work-suite/kit': [join(PROJECT_ROOT, 'src', 'kit', 'index.ts')],
      'work-suite/testing': [join(PROJECT_ROOT, 'test', 'index.ts')],
      ...Object.fromEntries(globSync('src/modules/*/*.public.ts', { cwd: PROJECT_ROOT }).map(faceOf)),
    };
    const compilerOptions = { rootDir: PROJECT_ROOT, noUnusedLocals: false, noUnusedParameters: false, paths };
    const config = { extends: join(PROJECT_ROOT, 'tsconfig.json'), compilerOptions, include: ['*.ts'], exclude: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const compiler = join(PROJECT_ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder, '--singleThreaded'], { encoding: 'utf8', cwd: folder });
    const faults = stdout.replace(/example-(\d+)\.ts/g, (_, at: string) => found[Number(at)].place);
    expect(faults).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 180_000);
