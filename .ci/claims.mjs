// SPDX-License-Identifier: Apache-2.0
//
// Holds what the pages (*.md) say against what is there, as far as a machine can: goals of make and their variables,
// scripts of npm, files and links, settings as flags and as variables with their defaults, metrics, alerts, events of the
// logs, and how many faults can be planted. Command lines of madangctl are read by madangctl's own parser
// (tests/unit/ctl/docs_test.c), the tables of metrics, alerts and events are held against running processes
// (tests/observability), tests and limits of the page on security by tests/run/security.test.mjs.
import { dirname, join, normalize } from 'node:path';
import { mutants } from './mutants.mjs';

const SETTING = /X\(\w+, [A-Z_ |]+, "([a-z-]+)", CONFIG_\w+, "([^"]*)"/g;
const OWN_FLAG = /X\(\w+, "([a-z-]+)",/g;
const EVERYBODYS = ['help', 'version', 'probe'];
const LOAD_FLAG = /^ {4}\{"([a-z-]+)", (?:no|required)_argument/gm; // of madang-load
const OURS = /^--|\bmadang(?:ctl|-gateway|-matchmaker|-worker|-timer|-load) /;
const NO_EVENT = /\.(?:c|h|md|mjs|ts|key|sock|burst)$/;
const LINE_WORDS = /\b(make|npm)((?:\s+[^\s|;&`()<>]+)*)/g;
const MADE = /node_modules|services\/web\/dist|^tests\/(\w+\/)*\w+_(test|main|fuzz)$/;
const METRIC_PARTS = /_(bucket|count|sum)$/;

// Where variables that people give to make are read.
const ASKS = /^(tests\/.*\.(c|mjs)|\.ci\/[a-z-]+|libs\/base\/mutant\.[ch])$/;

const every = (text, pattern) => [...text.matchAll(pattern)];
const first = (text, pattern) => every(text, pattern).map(([, name]) => name);

// What stands between backquotes or in a block between fences, line by line; and the page without blocks.
export function codeOf(page) {
  const code = [];
  const prose = page.replaceAll(/^```\w*\n([^]*?)^```$/gm, (_, block) => {
    code.push(...block.split('\n').map((line) => line.replace(/ {2,}.*| # .*|^# .*/, '')).filter(Boolean));
    return '';
  });
  for (const [, span] of prose.matchAll(/`([^`]+)`/g)) code.push(span.replaceAll(/\s+/g, ' '));
  return { code, prose };
}

// As a browser's address names a heading.
const anchorOf = (heading) => heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '').trim().replaceAll(' ', '-');

export function known(files, text) {
  const settings = new Map(every(text('libs/ops/settings.h'), SETTING).map(([, flag, value]) => [flag, value]));
  const metrics = text('docker/prometheus/README.md');
  const makefile = text('Makefile');
  const asked = files.filter((file) => ASKS.test(file)).map(text).join('\n');
  const flags = [...settings.keys()];
  return {
    settings,
    flags: new Set([...flags, ...EVERYBODYS, ...first(text('services/ctl/commands.h'), OWN_FLAG),
      ...first(text('services/ctl/main.c'), OWN_FLAG), ...first(text('tests/bench/load_plan.c'), LOAD_FLAG)]),
    variables: new Set(['MADANG_MUTANT', ...flags.map((flag) => `MADANG_${flag.toUpperCase().replaceAll('-', '_')}`)]),
    goals: new Set(first(makefile, /^([a-z][a-z0-9-]*):(?!=)/gm)
      .concat(first(makefile, /^lists := (.*)$/gm).flatMap((line) => line.split(' ').map((name) => `build-${name}`)))
      .concat(first(makefile, /^suites := (.*)$/gm).flatMap((line) => line.split(' ')))),
    make_variables: (name) => new RegExp(`\\$[({]${name}\\b|\\b${name} +[?:]?= |foreach .*\\b${name}\\b`).test(makefile) ||
      new RegExp(`"${name}"|process\\.env\\.${name}\\b|\\$\\{?${name}\\b`).test(asked),
    metrics: new Set(first(metrics, /^\| `((?:madang|process)_\w+)`/gm)),
    alerts: new Set(first(metrics, /^\| `(Madang\w+)`/gm)),
    events: new Set(first(text('libs/ops/log_events.h'), /X\(PROGRAM_\w+, "([a-z_.]+)"/g)),
    faults: mutants(text('libs/base/mutant.h')).length,
  };
}

// ---- one piece of code --------------------------------------------------------------------------------------------------

function commandsOf(line, file, { text, is }) {
  const problems = [];
  for (const [, tool, rest] of line.matchAll(LINE_WORDS)) {
    const words = rest.trim().split(/\s+/).filter(Boolean);
    if (tool === 'npm') {
      const at = words.indexOf('run'), folder = words[words.indexOf('--prefix') + 1];
      if (at < 0) continue;
      const home = words.includes('--prefix') ? folder : dirname(file);
      const scripts = JSON.parse(text(join(home, 'package.json')) || '{}').scripts ?? {};
      if (!(words[at + 1] in scripts)) problems.push(`${home}/package.json has no script ${words[at + 1]}`);
      continue;
    }
    for (const word of words) {
      const [, variable] = /^([A-Z]+)=/.exec(word) ?? [];
      const no_goal = /^[-$.]|\/|^[a-z]+\W/.test(word.replaceAll('-', ''));
      if (variable ? !is.make_variables(variable) : !no_goal && !is.goals.has(word))
        problems.push(`make knows no ${variable ? `${variable}=` : word}`);
    }
  }
  // `KILLS=` alone, or `PORT=9000 WORKERS=4 make run`
  for (const variable of first(line, /(?<![\w:{])([A-Z]{2,})=(?!=)/g))
    if ((/\bmake\b/.test(line) || line === `${variable}=`) && !is.make_variables(variable))
      problems.push(`make knows no ${variable}=`);
  return problems;
}

// Files are named from the top of the repository; what is built is not there, and < > stands for a name.
function filesOf(line, { files }) {
  if (/[<>{]/.test(line)) return [];
  const paths = first(line, /(?<![\w/.:@-])((?:\.ci|\.github|libs|services|tests|docker|k8s|proto)\/[\w./*-]*)/g);
  return paths.filter((path) => {
    const wanted = normalize(path.replace(/[.,:]+$/, '')).replace(/\/$/, '');
    const like = new RegExp(`^${wanted.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(/|$|\\.\\w+$)`);
    return !MADE.test(wanted) && !files.some((name) => like.test(name));
  }).map((path) => `there is no ${path}`);
}

function flagsOf(line, is) {
  if (!OURS.test(line)) return []; // those of other programs are theirs
  const flags = first(line, /(?<![\w-])--([a-z][a-z0-9-]*)/g);
  return flags.filter((flag) => !is.flags.has(flag)).map((flag) => `nobody knows --${flag}`);
}

function namesOf(line, is) {
  const problems = [];
  for (const [name] of line.matchAll(/\bmadang_[a-z]\w*/g))
    if (!is.metrics.has(name) && !is.metrics.has(name.replace(METRIC_PARTS, ''))) problems.push(`there is no metric ${name}`);
  for (const [name] of line.matchAll(/\bMadang[A-Z]\w+/g)) if (!is.alerts.has(name)) problems.push(`there is no alert ${name}`);
  const kinds = new Set([...is.events].map((name) => name.split('.')[0]));
  const like_an_event = /^[a-z]+\.[a-z_]+$/.test(line) && kinds.has(line.split('.')[0]) && !NO_EVENT.test(line);
  if (like_an_event && !is.events.has(line)) problems.push(`there is no event ${line}`);
  return problems;
}

// ---- a page -------------------------------------------------------------------------------------------------------------

function variablesOf(page, is) {
  return every(page, /\bMADANG_[A-Z_]+\*?/g).flatMap(([name]) => {
    const open = name.endsWith('*') || name.endsWith('_');
    const begin = name.replace('*', '');
    const there = open ? [...is.variables].some((variable) => variable.startsWith(begin)) : is.variables.has(name);
    return there ? [] : [`no program knows ${name}`];
  });
}

// `--rooms-max` 5000, or `MADANG_GRACE`, 30 s: what holds when nobody says anything else.
function defaultsOf(prose, is) {
  const said = /`(?:--([a-z-]+)|MADANG_([A-Z_]+))`,? (\d[\d,]*)(?: ([smh]))?(?=[\s,;).|]|$)/g;
  return every(prose, said).flatMap(([all, flag, variable, number, unit]) => {
    const name = flag ?? variable.toLowerCase().replaceAll('_', '-');
    const is_said = `${number.replaceAll(',', '')}${unit ?? ''}`;
    return is.settings.get(name) === is_said ? [] : [`${all}: by default it is ${is.settings.get(name)}`];
  });
}

function linksOf(page, file, { files, text }) {
  const targets = [...first(page, /\]\(([^)\s]+)\)/g), ...first(page, / src="([^"]+)"/g)];
  return targets.flatMap((target) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [path, anchor] = target.split('#');
    const wanted = path ? normalize(join(dirname(file), path)) : file;
    if (!files.some((name) => name === wanted || name.startsWith(`${wanted}/`))) return [`the link to ${target} leads nowhere`];
    const headings = anchor && first(text(wanted), /^#+ (.*)$/gm).map(anchorOf);
    return anchor && !headings.includes(anchor) ? [`the link to ${target}: there is no such heading`] : [];
  });
}

function countsOf(prose, is) {
  return first(prose, /plants faults in the real code and scripts, (\d+) of them/g)
    .flatMap((said) => (Number(said) === is.faults ? [] : [`it says ${said} faults, and there are ${is.faults}`]));
}

export function claims(files, text) {
  const is = known(files, text);
  return files.filter((file) => file.endsWith('.md')).flatMap((file) => {
    const page = text(file), { code, prose } = codeOf(page);
    const problems = [
      ...code.flatMap((line) => [...commandsOf(line, file, { text, is }), ...filesOf(line, { files }), ...flagsOf(line, is),
        ...namesOf(line, is)]),
      ...variablesOf(page, is), ...defaultsOf(prose, is), ...linksOf(prose, file, { files, text }), ...countsOf(prose, is),
    ];
    return [...new Set(problems)].map((problem) => `${file}: ${problem}`);
  });
}
