// SPDX-License-Identifier: Apache-2.0
//
// The check can fail: each case breaks one thing in the overlay `prod`, or in that with two shards, and names who must
// notice, and with what words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { COMPONENT, SHARD, named, of, podOf } from './cluster.mjs';
import { render } from './render.mjs';
import * as rules from './rules.mjs';
import { faults } from './schema.mjs';

const outside = ['madang-keys', 'madang-redis', 'madang-services', 'madang-tls'];
const worker = (objects) => named(objects, 'StatefulSet', 'worker');
const first = (workload) => podOf(workload).containers[0];
const container = (objects, kind, name) => first(named(objects, kind, name));
const policy = (objects, name) => named(objects, 'NetworkPolicy', name).spec;
const drop = (objects, kind, name) => objects.splice(objects.indexOf(named(objects, kind, name)), 1);
const configMap = (objects, start) => of(objects, 'ConfigMap').find(({ metadata }) => metadata.name.startsWith(start)).data;

const cases = {
  'a field that no schema knows': ['schema', (o) => { worker(o).spec.template.spec.restartpolicy = 'Always'; },
    /restartpolicy is no field/],
  'a field deep inside that no schema knows': ['schema', (o) => { first(worker(o)).livenessProbe.httpGet.url = '/'; },
    /httpGet\/url is no field/],
  'a value of the wrong kind': ['schema', (o) => { worker(o).spec.replicas = 'three'; }, /spec\/replicas/],
  'a field that must be there': ['schema', (o) => { delete worker(o).spec.selector; }, /selector/],
  'a kind that no schema knows': ['schema', (o) => { worker(o).kind = 'StatefulSat'; }, /no schema/],
  'a version that is no more': ['schema', (o) => { worker(o).apiVersion = 'apps/v1beta7'; }, /no schema/],
  'an unknown field of a monitor': ['schema', (o) => { of(o, 'ServiceMonitor')[0].spec.endpoints[0].every = '5s'; },
    /endpoints\/0\/every is no field/],
  'an unknown field of alerts': ['schema', (o) => { of(o, 'PrometheusRule')[0].spec.groups[0].rules[0].unless = '1'; },
    /unless is no field/],
  'no limit of memory': ['limits', (o) => { delete first(worker(o)).resources.limits.memory; }, /no limits of memory/],
  'no request of cpu': ['limits', (o) => { delete first(worker(o)).resources.requests.cpu; }, /no requests of cpu/],
  'a Redis that does not know its limit': ['memory', (o) => { const redis = container(o, 'StatefulSet', 'redis');
    redis.env = redis.env.filter(({ name }) => name !== 'MEMORY'); }, /redis.*does not know how much/],
  'a Redis that knows what it asks for, not what it may have': ['memory', (o) => { container(o, 'StatefulSet', 'redis').env
    .find(({ name }) => name === 'MEMORY').valueFrom.resourceFieldRef.resource = 'requests.memory'; }, /does not know how much/],
  'no readiness probe': ['probes', (o) => { delete first(worker(o)).readinessProbe; }, /no readinessProbe/],
  'a liveness probe that asks for readiness': ['probes',
    (o) => { first(worker(o)).livenessProbe.httpGet.path = '/readyz'; }, /does not ask/],
  'a replica that is ready too soon': ['probes',
    (o) => { container(o, 'StatefulSet', 'redis').readinessProbe.exec.command.pop(); }, /redis.*its readinessProbe is not about/],
  'a replica that is ended while it catches up': ['probes',
    (o) => { container(o, 'StatefulSet', 'redis').livenessProbe.exec.command.push('synced'); },
    /redis.*its livenessProbe is not about/],
  'root': ['security', (o) => { podOf(worker(o)).securityContext.runAsUser = 0; }, /root/],
  'a root file system to write to': ['security',
    (o) => { first(worker(o)).securityContext.readOnlyRootFilesystem = false; }, /root file system/],
  'a capability': ['security', (o) => { first(worker(o)).securityContext.capabilities.add = ['NET_ADMIN']; },
    /capabilities/],
  'no seccomp profile': ['security', (o) => { delete podOf(worker(o)).securityContext.seccompProfile; }, /seccomp/],
  'a folder of the host': ['security', (o) => { podOf(worker(o)).volumes.push({ name: 'x', hostPath: { path: '/' } }); },
    /not admitted/],
  'a namespace that admits anything': ['security', (o) => { named(o, 'Namespace', 'madang').metadata.labels = {}; },
    /Pod Security/],
  'an image that nobody builds': ['images', (o) => { first(worker(o)).image = 'madang/werker:1'; }, /no target/],
  'another user than the image has': ['images', (o) => { podOf(worker(o)).securityContext.runAsUser = 1000; },
    /built for 10001/],
  'a variable that no binary knows': ['variables',
    (o) => { first(worker(o)).env.push({ name: 'MADANG_ROOMS_MOST', value: '1' }); }, /knows no MADANG_ROOMS_MOST/],
  'a variable of another service': ['variables',
    (o) => { container(o, 'Deployment', 'gateway').env.push({ name: 'MADANG_ROOMS_MAX', value: '1' }); },
    /madang-gateway knows no MADANG_ROOMS_MAX/],
  'a value that the binary refuses': ['variables', (o) => { configMap(o, 'yard-').MADANG_LOG_LEVEL = 'loud'; },
    /MADANG_LOG_LEVEL: 'loud'/],
  'a variable that madangctl does not know': ['variables',
    (o) => { container(o, 'Deployment', 'operator').env.push({ name: 'MADANG_KEY_OF_ALL', value: '1' }); },
    /madangctl knows no MADANG_KEY_OF_ALL/],
  'somebody who is anybody to Redis': ['users', (o) => { delete configMap(o, 'store-').MADANG_REDIS_USER; },
    /worker.*: is whoever/],
  'a password that nobody put there': ['users',
    (o) => { podOf(worker(o)).volumes.find(({ name }) => name === 'redis').secret.items[0].path = 'x'; }, /no Secret holds its/],
  'a listener without TLS': ['encrypted', (o) => { const inbox = first(worker(o)).env.find(({ name }) =>
    name === 'MADANG_INBOX'); inbox.value = 'tcp://0.0.0.0:7101'; }, /worker.*MADANG_INBOX is not by TLS/],
  'an address that the image says, without TLS': ['encrypted', (o) => { const only = container(o, 'Deployment', 'timer');
    only.env = only.env.filter(({ name }) => name !== 'MADANG_INBOX'); }, /timer.*MADANG_INBOX is not by TLS/],
  'one matchmaker of two without TLS': ['encrypted', (o) => { const yard = configMap(o, 'yard-');
    yard.MADANG_MATCHMAKERS = yard.MADANG_MATCHMAKERS.replace(',tls+', ','); }, /gateway.*MADANG_MATCHMAKERS is not by TLS/],
  'no identity': ['encrypted', (o) => { podOf(worker(o)).volumes = podOf(worker(o)).volumes.filter(({ name }) =>
    name !== 'services'); }, /worker.*no Secret holds MADANG_TLS_IDENTITY/],
  'too little time to drain': ['grace', (o) => { podOf(worker(o)).terminationGracePeriodSeconds = 60; }, /may need/],
  'a hook that ends the process': ['grace',
    (o) => { first(worker(o)).lifecycle = { preStop: { exec: { command: ['kill', '-TERM', '1'] } } }; }, /wait/],
  'a secret that is nowhere': ['references', (o) => { podOf(worker(o)).volumes[0].secret.secretName = 'gone'; },
    /no Secret gone/],
  'a map that is nowhere': ['references', (o) => { first(worker(o)).envFrom[0].configMapRef.name = 'gone'; },
    /no ConfigMap gone/],
  'a mount without a volume': ['mounts', (o) => { podOf(worker(o)).volumes = []; }, /no volume/],
  'a service that selects nothing': ['selectors', (o) => { named(o, 'Service', 'worker').spec.selector[COMPONENT] = 'x'; },
    /selects no pod/],
  'replicas beside an autoscaler': ['selectors', (o) => { named(o, 'Deployment', 'gateway').spec.replicas = 2; },
    /undo/],
  'a name that will not be there': ['hosts', (o) => { worker(o).metadata.name = 'w'; named(o, 'StatefulSet', 'redis')
    .spec.replicas = 2; configMap(o, 'store-').MADANG_REDIS = 'tcp://redis-2.redis:6379'; }, /no redis-2.redis/],
  'a name that is there too late': ['hosts',
    (o) => { delete named(o, 'Service', 'matchmaker').spec.publishNotReadyAddresses; }, /before it is ready/],
  'a matchmaker that nobody knows': ['matchmakers', (o) => { named(o, 'StatefulSet', 'matchmaker').spec.replicas = 3; },
    /is told of matchmakers/],
  'a port that no policy is about': ['ports', (o) => { first(worker(o)).ports.push({ name: 'x', containerPort: 7102 }); },
    /port 7102/],
  'a service in front of nothing': ['ports', (o) => { first(worker(o)).ports = []; }, /is nothing/],
  'an arrow that is not ours': ['arrows', (o) => { policy(o, 'redis').ingress[0].from.push(
    { podSelector: { matchLabels: { [COMPONENT]: 'gateway' } } }); }, /gateway > redis@shard0 6379: is let in/],
  'a policy for whoever comes': ['arrows', (o) => { delete policy(o, 'worker').ingress[0].from; }, /is let in/],
  'an arrow that is missing at one end': ['arrows', (o) => { policy(o, 'timer').egress = []; },
    /timer > worker 7101: is not let out/],
  'a way out into the world': ['arrows', (o) => { policy(o, 'worker').egress.push(
    { to: [{ ipBlock: { cidr: '0.0.0.0/0' } }], ports: [{ protocol: 'TCP', port: 443 }] }); }, /let out/],
  'everybody may talk to everybody': ['arrows', (o) => { drop(o, 'NetworkPolicy', 'nobody'); }, /no policy keeps/],
  'only one of them': ['resilience', (o) => { worker(o).spec.replicas = 1; }, /only one/],
  'no budget for disruptions': ['resilience', (o) => { drop(o, 'PodDisruptionBudget', 'worker'); }, /no budget/],
  'all on one machine': ['resilience', (o) => { delete podOf(worker(o)).affinity; }, /one machine/],
  'all in one zone': ['resilience', (o) => { delete podOf(worker(o)).topologySpreadConstraints; }, /one zone/],
  'a service that Prometheus does not find': ['monitoring',
    (o) => { delete named(o, 'Service', 'timer').metadata.labels['app.kubernetes.io/part-of']; }, /timer: no monitor/],
  'alerts that are not the tested ones': ['monitoring', (o) => { of(o, 'PrometheusRule')[0].spec.groups.pop(); },
    /not those/],
};

const SECOND = { [COMPONENT]: 'redis', [SHARD]: 'shard1' };
const inReverse = (list) => list.split(' ').reverse().join(' ');
const ofTwoShards = {
  'a shard that nobody is told of': ['shards', (o) => { const store = configMap(o, 'store-');
    [store.MADANG_REDIS] = store.MADANG_REDIS.split(' '); }, /worker.*is told of shards/],
  'a shard that one service is not told of': ['shards', (o) => { container(o, 'Deployment', 'timer').env.push(
    { name: 'MADANG_REDIS', value: configMap(o, 'store-').MADANG_REDIS.split(' ')[0] }); }, /^timer.*is told of shards/],
  'shards in another order': ['shards', (o) => { const store = configMap(o, 'store-');
    store.MADANG_REDIS = inReverse(store.MADANG_REDIS); }, /operator.*is told of shards/],
  'a shard that is asked for among the Sentinels of another': ['shards', (o) => { const store = configMap(o, 'store-');
    store.MADANG_REDIS = store.MADANG_REDIS.replaceAll('shard1-', ''); }, /matchmaker.*is told of shards/],
  'rooms on a shard that there is not': ['shards', (o) => { const { env } = container(o, 'StatefulSet', 'matchmaker');
    env.find(({ name }) => name === 'MADANG_SHARDS_OPEN').value = '3'; }, /makes rooms on 3 of 2/],
  'a server that is sure too soon who the primary is': ['shards', (o) => {
    named(o, 'StatefulSet', 'shard1-sentinel').spec.replicas = 5; }, /shard1-redis: asks 3 Sentinels/],
  'a shard with the label of the first': ['shards', (o) => { for (const name of ['shard1-redis', 'shard1-sentinel'])
    named(o, 'StatefulSet', name).spec.template.metadata.labels[SHARD] = 'shard0'; }, /are called shard0,shard0/],
  'a shard that nobody is let into': ['arrows', (o) => { drop(o, 'NetworkPolicy', 'shard1-redis'); },
    /worker > redis@shard1 6379: is not let in/],
  'a shard that nobody is let out to': ['arrows', (o) => { for (const { to } of policy(o, 'timer').egress)
    for (const { podSelector: { matchLabels } } of to) if (matchLabels[COMPONENT] === 'redis') matchLabels[SHARD] = 'shard0'; },
    /timer > redis@shard1 6379: is not let out/],
  'Sentinels that nobody may ask': ['arrows', (o) => { drop(o, 'NetworkPolicy', 'shard1-ask-sentinel'); },
    /matchmaker > sentinel@shard1 26379: is not let out/],
  'Sentinels that do not reach their servers': ['arrows', (o) => { drop(o, 'NetworkPolicy', 'shard1-sentinel'); },
    /sentinel@shard1 > redis@shard1 6379: is not let out/],
  'servers of one shard that reach those of another': ['arrows', (o) => {
    delete policy(o, 'redis-sentinel').ingress[0].from[0].podSelector.matchLabels[SHARD]; },
    /redis@shard1 > redis@shard0 6379: is let in/],
  'names of one shard that lead to another': ['selectors', (o) => { delete named(o, 'Service', 'redis').spec.selector[SHARD]; },
    /service redis: selects pods of several kinds/],
  'a shard without a budget': ['resilience', (o) => { drop(o, 'PodDisruptionBudget', 'shard1-redis'); },
    /shard1-redis: no budget/],
  'servers of a shard on one machine': ['resilience', (o) => { const [term] = podOf(named(o, 'StatefulSet', 'shard1-redis'))
    .affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution;
  term.labelSelector.matchLabels = { ...SECOND, [SHARD]: 'shard0' }; }, /shard1-redis: all may be on one machine/],
  'a shard of another version': ['images', (o) => { container(o, 'StatefulSet', 'shard1-redis').image = 'madang/redis:0.0.9'; },
    /shard1-redis.* is madang\/redis:0.0.9/],
};

const all = [...Object.entries(cases).map((entry) => ['prod', ...entry]),
  ...Object.entries(ofTwoShards).map((entry) => ['two-shards/open', ...entry])];
for (const [overlay, what, [rule, break_, says]] of all)
  test(`${rule} notices ${what}`, async () => {
    const objects = render(overlay);
    break_(objects);
    const changed = objects.filter((object, i) => !isDeepStrictEqual(object, render(overlay)[i]));
    const said = rule === 'schema' ? (await Promise.all(changed.map(faults))).flat()
      : rules[rule](objects, rule === 'references' ? { outside } : undefined);
    assert.ok(said.some((sentence) => says.test(sentence)), `it says ${JSON.stringify(said)}`);
  });

test('every rule has a case that it notices', () => {
  const tried = new Set(all.map(([, , [rule]]) => rule));
  assert.deepEqual(Object.keys(rules).filter((rule) => !tried.has(rule)), []);
});
