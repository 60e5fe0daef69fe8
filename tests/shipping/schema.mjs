// SPDX-License-Identifier: Apache-2.0
//
// Holds an object against the published OpenAPI schema of its kind, strictly: a field that the schema does not know is a
// fault. The schemas come compiled (packages kubernetes-models, and @kubernetes-models/... for kinds of others) and pass over
// fields that they do not know; but they look at each field that they do know. So the object is shown to them through
// glasses that remember what was looked at.
import { existsSync } from 'node:fs';

const packages = [
  { of: (group) => group === 'monitoring.coreos.com', from: '@kubernetes-models/prometheus-operator',
    prefix: () => 'ComGithubPrometheusOperatorPrometheusOperatorPkgApisMonitoring' },
  { of: (group) => group === 'cert-manager.io', from: '@kubernetes-models/cert-manager',
    prefix: () => 'ComGithubCertManagerCertManagerPkgApisCertmanager' },
  { of: () => true, from: 'kubernetes-models',
    prefix: (group) => `IoK8sApi${capital(group.split('.')[0] || 'core')}` },
];

const capital = (word) => word[0].toUpperCase() + word.slice(1);

// Resolves to the compiled schema, or to null: there is no such kind.
export async function schemaOf({ apiVersion = '', kind = '' }) {
  const [version, group = ''] = apiVersion.split('/').reverse();
  if (!version || !kind) return null;
  const found = packages.find((each) => each.of(group));
  const name = `${found.prefix(group)}${capital(version)}${kind}`;
  const file = new URL(`_schemas/${name}.js`, import.meta.resolve(found.from));
  return existsSync(file) ? (await import(file)).validate : null;
}

// The same object, and which of its fields were looked at. Whoever asks for all keys knows them all: it is a map with
// names of its own, such as labels.
function watched(value, path, unseen) {
  if (value === null || typeof value !== 'object') return value;
  const fields = Object.keys(value);
  for (const field of fields) unseen.add(`${path}/${field}`);
  const inner = Object.fromEntries(fields.map((field) =>
    [field, watched(value[field], `${path}/${field}`, unseen)]));
  return new Proxy(Array.isArray(value) ? Object.values(inner) : inner, {
    get(target, field) {
      if (typeof field === 'string') unseen.delete(`${path}/${field}`);
      return target[field];
    },
    ownKeys(target) {
      for (const field of fields) unseen.delete(`${path}/${field}`);
      return Reflect.ownKeys(target);
    },
  });
}

// Sentences: what is wrong with it. None: it is valid.
export async function faults(object) {
  const name = `${object.kind} ${object.metadata?.name}`;
  const validate = await schemaOf(object);
  if (!validate) return [`${name}: no schema of ${object.apiVersion} knows this kind`];
  const unseen = new Set();
  if (!validate(watched(object, '', unseen)))
    return validate.errors.map((error) => `${name}: ${error.instancePath} ${JSON.stringify(error.params)}`);
  // The topmost of those that nobody looked at.
  return [...unseen].filter((path) => !unseen.has(path.replace(/\/[^/]*$/, '')))
    .map((path) => `${name}: ${path} is no field that is known`);
}
