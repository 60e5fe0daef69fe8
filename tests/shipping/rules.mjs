// SPDX-License-Identifier: Apache-2.0
//
// Our own rules for manifests, beyond their schemas. Each is a function of the rendered objects (and of what else it
// says) to sentences about what is wrong.
import { isDeepStrictEqual } from 'node:util';
import { alertGroups, refusal, targets, variablesOfCtl } from './render.mjs';
import {
  COMPONENT, OPERATOR, SERVICES, SHARD, admitted, containers, environment, labelsOf, matches, named, of, podOf, replicas,
  sentinelsOf, serviceOf, settings, shardsOf, toldDirectly, whoIs, workloads,
} from './cluster.mjs';

// The arrows of the architecture, each "from > to port": 7100 takes requests, 7101 batches. madangctl asks everybody.
const ARROWS = [
  'ingress-nginx/ > gateway 8080',
  'gateway > matchmaker 7100', 'worker > matchmaker 7100', 'timer > matchmaker 7100', 'matchmaker > matchmaker 7100',
  'matchmaker > worker 7100', 'worker > worker 7100',
  'gateway > worker 7101', 'worker > gateway 7101', 'timer > worker 7101', 'worker > timer 7101',
  ...SERVICES.flatMap((service) => [`monitoring/ > ${service} 9100`, `operator > ${service} 9100`]),
  'operator > matchmaker 7100', 'operator > worker 7100', 'operator > gateway 7101', 'operator > worker 7101',
  'operator > timer 7101',
];
const STORE_CLIENTS = ['matchmaker', 'worker', 'timer', 'operator'];
// Of one shard, whose Redis and Sentinels talk to nobody of another.
function arrowsOfShard(objects, shard) {
  const redis = whoIs(shard), group = sentinelsOf(objects, shard);
  const clients = STORE_CLIENTS.map((client) => `${client} > ${redis} 6379`);
  if (!group) return clients;
  const sentinel = whoIs(group);
  return [...clients, `${redis} > ${redis} 6379`, `${sentinel} > ${redis} 6379`,
    ...[...STORE_CLIENTS, redis, sentinel].map((client) => `${client} > ${sentinel} 26379`)];
}
const inside = (arrow) => !arrow.split(' > ').some((end) => end.includes('/'));
const names = (arrow) => / > kube-system\/kube-dns 53(\/udp)?$/.test(arrow);

const list = (sentences) => sentences.filter((sentence) => sentence !== null && sentence !== undefined);

// ---- containers ------------------------------------------------------------------------------------------------------

export const limits = (objects) => containers(objects).flatMap(({ container, where }) =>
  ['requests', 'limits'].flatMap((kind) => ['cpu', 'memory'].filter((what) => !container.resources?.[kind]?.[what])
    .map((what) => `${where}: no ${kind} of ${what}`)));

// Each Redis is told what its container may have, of which it takes a part: else it would be ended, not refuse writes.
export const memory = (objects) => shardsOf(objects).flatMap((shard) => podOf(shard).containers
  .filter((container) => !container.env?.some(({ name, valueFrom }) => name === 'MEMORY' &&
    valueFrom?.resourceFieldRef?.resource === 'limits.memory' && !valueFrom.resourceFieldRef.divisor &&
    [container.name, undefined].includes(valueFrom.resourceFieldRef.containerName)))
  .map(({ name }) => `${shard.metadata.name}/${name}: does not know how much memory it may have`));

export const probes = (objects) => containers(objects).flatMap(({ workload, container, where }) => {
  if (podOf(workload).initContainers?.includes(container)) return [];
  return ['startupProbe', 'livenessProbe', 'readinessProbe'].flatMap((kind) => {
    const probe = container[kind];
    if (!probe) return [`${where}: no ${kind}`];
    if (labelsOf(workload)[COMPONENT] === 'redis' && (probe.exec?.command.at(-1) === 'synced') !== (kind === 'readinessProbe'))
      return [`${where}: its ${kind} is not about what it should be, whether it has all that its primary has or just lives`];
    if (!serviceOf(container)) return [];
    const path = kind === 'readinessProbe' ? '/readyz' : '/livez';
    return probe.httpGet?.path === path && probe.httpGet.port === 'ops' ? []
      : [`${where}: its ${kind} does not ask ${path} at the operations port`];
  });
});

// Pod Security "restricted", and a root file system that cannot be written to.
export function security(objects) {
  const spaces = of(objects, 'Namespace').filter(({ metadata }) =>
    metadata.labels?.['pod-security.kubernetes.io/enforce'] !== 'restricted')
    .map(({ metadata }) => `namespace ${metadata.name}: Pod Security is not "restricted"`);
  const volumes = ['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'persistentVolumeClaim', 'projected',
    'secret'];
  const pods = workloads(objects).flatMap((workload) => {
    const pod = podOf(workload), context = pod.securityContext ?? {}, name = workload.metadata.name;
    return list([
      pod.hostNetwork || pod.hostPID || pod.hostIPC ? `${name}: uses the host's network or processes` : null,
      context.runAsNonRoot === true && context.runAsUser > 0 ? null : `${name}: may run as root`,
      context.seccompProfile?.type === 'RuntimeDefault' ? null : `${name}: no seccomp profile`,
      pod.automountServiceAccountToken === false ? null : `${name}: holds a token for the cluster's own interface`,
      ...(pod.volumes ?? []).filter((volume) => !volumes.some((kind) => kind in volume))
        .map((volume) => `${name}: the volume ${volume.name} is of a kind that is not admitted`),
    ]);
  });
  return [...spaces, ...pods, ...containers(objects).flatMap(({ container, where }) => {
    const context = container.securityContext ?? {};
    return list([
      context.privileged ? `${where}: is privileged` : null,
      context.allowPrivilegeEscalation === false ? null : `${where}: may gain privileges`,
      context.readOnlyRootFilesystem === true ? null : `${where}: may write to its root file system`,
      isDeepStrictEqual(context.capabilities?.drop, ['ALL']) && !context.capabilities.add ? null
        : `${where}: keeps capabilities`,
      context.runAsUser === 0 || context.runAsNonRoot === false ? `${where}: may run as root` : null,
      ...(container.ports ?? []).filter((port) => port.hostPort)
        .map((port) => `${where}: takes port ${port.hostPort} of the host`),
    ]);
  })];
}

// Each is a target of the Dockerfile, run as the user that the Dockerfile names, and of one tag wherever it runs.
export const images = (objects, built = targets()) => containers(objects).flatMap(({ workload, container, where }) => {
  const [name] = container.image.split(':'), target = name.replace(/^madang\//, '');
  if (name === target || !built[target]) return [`${where}: ${name} is no target of docker/Dockerfile`];
  const { runAsUser, runAsGroup } = podOf(workload).securityContext ?? {};
  const user = built[target].user ?? built.runtime.user;
  const other = containers(objects).find((each) =>
    each.container.image.split(':')[0] === name && each.container.image !== container.image);
  if (other) return [`${where}: is ${container.image}, and ${other.where} is ${other.container.image}`];
  return user === `${runAsUser}:${runAsGroup}` ? [] : [`${where}: runs as ${runAsUser}:${runAsGroup}, built for ${user}`];
});

// Asked of the binary itself: does it know each variable, and take each value?
export const variables = (objects) => containers(objects).flatMap(({ container, where }) => {
  const told = environment(objects, container);
  const ours = Object.entries(told).filter(([name]) => name.startsWith('MADANG_'));
  if (container.image.split(':')[0] === `madang/${OPERATOR}`)
    return toldDirectly(container).filter((name) => name.startsWith('MADANG_') && !variablesOfCtl().has(name))
      .map((name) => `${where}: madangctl knows no ${name}`);
  if (!serviceOf(container))
    return ours.map(([name]) => `${where}: ${name} is for a service of ours, which this is not`);
  const unknown = ours.filter(([name]) => !settings(container).has(name))
    .map(([name]) => `${where}: madang-${serviceOf(container)} knows no ${name}`);
  const refused = refusal(serviceOf(container), told);
  const idle = (container.env ?? []).filter(({ name }) => !name.startsWith('MADANG_') &&
    !container.env.some(({ value }) => value?.includes(`$(${name})`)));
  return [...unknown, ...(refused ? [`${where}: ${refused}`] : []),
    ...idle.map(({ name }) => `${where}: nothing uses ${name}`)];
});

// Whoever reaches Redis is a user there with few rights, by a password that only its pod can read.
export const users = (objects) => containers(objects).flatMap(({ workload, container, where }) => {
  const told = environment(objects, container);
  if (!told.MADANG_REDIS) return [];
  return list([
    told.MADANG_REDIS_USER ? null : `${where}: is whoever Redis takes it for`,
    ofSecret(workload, container, told.MADANG_REDIS_PASSWORD_FILE) ? null : `${where}: no Secret holds its password for Redis`,
  ]);
});

// Whether a path lies where a Secret is mounted, and is one of its files, as far as they are named.
function ofSecret(workload, container, path = '') {
  const mount = container.volumeMounts?.find(({ mountPath }) => path.startsWith(`${mountPath}/`));
  const secret = podOf(workload).volumes?.find(({ name }) => name === mount?.name)?.secret;
  return secret !== undefined && (!secret.items || secret.items.some((item) => path === `${mount.mountPath}/${item.path}`));
}

// A drain has the time that it may take, after the pause before it; a hook that sends a signal would cut it short.
export const grace = (objects) => containers(objects).filter(({ container }) => serviceOf(container))
  .flatMap(({ workload, container, where }) => {
    const stop = container.lifecycle?.preStop;
    const pause = stop ? stop.exec?.command : ['sleep', '0'];
    if (!pause || pause[0] !== 'sleep') return [`${where}: before it stops it does something else than wait`];
    const told = /^(\d+)(s|m)$/.exec(environment(objects, container).MADANG_GRACE ?? '');
    if (!told) return [`${where}: MADANG_GRACE is not told in s or m`];
    const drain = Number(told[1]) * (told[2] === 'm' ? 60 : 1), need = drain + Number(pause[1]) + 5;
    const has = podOf(workload).terminationGracePeriodSeconds ?? 30;
    return has >= need ? [] : [`${where}: has ${has} s to end and may need ${need} s`];
  });

// ---- what refers to what -------------------------------------------------------------------------------------------

// Every Secret and ConfigMap is there, or is one of those that the operator makes.
export function references(objects, { outside = [] } = {}) {
  const wanted = workloads(objects).flatMap((workload) => {
    const where = workload.metadata.name;
    const volumes = (podOf(workload).volumes ?? []).flatMap(({ secret, configMap }) => list([
      secret && ['Secret', secret.secretName], configMap && ['ConfigMap', configMap.name]]));
    const told = containers([workload]).flatMap(({ container }) => [
      ...(container.envFrom ?? []).map(({ configMapRef, secretRef }) =>
        configMapRef ? ['ConfigMap', configMapRef.name] : ['Secret', secretRef?.name]),
      ...(container.env ?? []).flatMap(({ valueFrom }) => list([
        valueFrom?.secretKeyRef && ['Secret', valueFrom.secretKeyRef.name],
        valueFrom?.configMapKeyRef && ['ConfigMap', valueFrom.configMapKeyRef.name]])),
    ]);
    return [...volumes, ...told].map(([kind, name]) => ({ where, kind, name }));
  });
  for (const { metadata, spec } of of(objects, 'Ingress'))
    for (const { secretName } of spec.tls ?? []) wanted.push({ where: metadata.name, kind: 'Secret', name: secretName });
  return wanted.filter(({ kind, name }) => !named(objects, kind, name) && !(kind === 'Secret' && outside.includes(name)))
    .map(({ where, kind, name }) => `${where}: there is no ${kind} ${name}`);
}

// A mount has its volume; a claim counts as one.
export const mounts = (objects) => containers(objects).flatMap(({ workload, container, where }) => {
  const volumes = [...(podOf(workload).volumes ?? []).map(({ name }) => name),
    ...(workload.spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name)];
  return (container.volumeMounts ?? []).filter(({ name }) => !volumes.includes(name))
    .map(({ name }) => `${where}: mounts ${name}, which is no volume`);
});

export function selectors(objects) {
  const pods = workloads(objects).map(labelsOf);
  const fault = (what, { metadata }, selector) => {
    const count = pods.filter((labels) => matches(selector, labels)).length;
    return count === 1 ? null : `${what} ${metadata.name}: selects ${count === 0 ? 'no pod' : 'pods of several kinds'}`;
  };
  const space = objects.filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'madang')
    .map(({ kind, metadata }) => `${kind} ${metadata.name}: is not in the namespace madang`);
  return [...space, ...list([
    ...of(objects, 'Service').map((service) => fault('service', service, { matchLabels: service.spec.selector })),
    ...of(objects, 'PodDisruptionBudget').map((budget) => fault('budget', budget, budget.spec.selector)),
    ...workloads(objects).map((workload) => matches(workload.spec.selector, labelsOf(workload)) ? null
      : `${workload.metadata.name}: does not select its own pods`),
    ...of(objects, 'HorizontalPodAutoscaler').map(({ metadata, spec: { scaleTargetRef: target } }) => {
      const workload = named(objects, target.kind, target.name);
      if (!workload) return `autoscaler ${metadata.name}: there is no ${target.kind} ${target.name}`;
      return workload.spec.replicas === undefined ? null
        : `${target.name}: its replicas would undo what the autoscaler does`;
    }),
  ])];
}

// Whoever is dialled by name is there under that name, also before it is ready.
export const hosts = (objects) => containers(objects).flatMap(({ container, where }) => {
  const told = environment(objects, container);
  const said = Object.entries(told).filter(([name]) => !name.endsWith('_PUBLIC')).map(([, value]) => value).join(' ');
  const dialled = [...said.matchAll(/([a-z0-9-]*[a-z])-(\d+)\.([a-z0-9-]*[a-z])\b/g)];
  return dialled.flatMap(([host, name, number, service]) => {
    const workload = named(objects, 'StatefulSet', name), names_ = named(objects, 'Service', service);
    if (!workload || Number(number) >= replicas(objects, workload)) return [`${where}: there will be no ${host}`];
    const headless = names_?.spec.clusterIP === 'None' && names_.spec.publishNotReadyAddresses === true;
    return headless && workload.spec.serviceName === service ? []
      : [`${where}: ${host} has no name before it is ready`];
  });
});

// Each matchmaker is in the list of all, under the name that it gives itself.
export const matchmakers = (objects) => containers(objects).filter(({ container }) => serviceOf(container))
  .flatMap(({ container, where }) => {
    const all = named(objects, 'StatefulSet', 'matchmaker');
    const self = containers([all])[0].container.env.find(({ name }) => name === 'MADANG_CONTROL_PUBLIC').value;
    const wanted = Array.from({ length: replicas(objects, all) }, (_, i) => self.replace('$(POD_NAME)', `matchmaker-${i}`));
    const told = environment(objects, container).MADANG_MATCHMAKERS?.split(',');
    return isDeepStrictEqual(told, wanted) ? [] : [`${where}: is told of matchmakers ${told}, and there are ${wanted}`];
  });

// Whoever reaches Redis is told of each shard there is, in the order of their numbers, through that shard's own Sentinels;
// these are as many as its servers ask; and rooms are made on shards that there are.
export function shards(objects) {
  const all = shardsOf(objects);
  const at = (workload, i) => `${workload.metadata.name}-${i}.${workload.spec.serviceName}`;
  const addressOf = (shard) => {
    const group = sentinelsOf(objects, shard);
    if (!group) return `tcp://${at(shard, 0)}:6379`;
    const hosts = Array.from({ length: replicas(objects, group) }, (_, i) => `${at(group, i)}:26379`);
    return `sentinel://${hosts.join()}/yard`;
  };
  const wanted = all.map(addressOf);
  const numbers = all.map((shard) => labelsOf(shard)[SHARD]);
  const servers = all.map((shard) => ({ shard, group: sentinelsOf(objects, shard),
    asked: Number(environment(objects, podOf(shard).containers[0]).SENTINELS) }));
  return list([
    isDeepStrictEqual(numbers, all.map((_, i) => `shard${i}`)) ? null : `the shards are called ${numbers}`,
    ...servers.map(({ shard, group, asked }) => asked === (group ? replicas(objects, group) : 0) ? null
      : `${shard.metadata.name}: asks ${asked} Sentinels`),
    ...containers(objects).filter(({ container }) => serviceOf(container) !== 'gateway' &&
      (serviceOf(container) || container.image.split(':')[0] === `madang/${OPERATOR}`)).map(({ container, where }) => {
      const told = environment(objects, container).MADANG_REDIS?.split(/\s+/);
      return isDeepStrictEqual(told, wanted) ? null : `${where}: is told of shards ${told}, and there are ${wanted}`;
    }),
    ...containers(objects).map(({ container, where }) => {
      const open = environment(objects, container).MADANG_SHARDS_OPEN ?? '1';
      return Number(open) >= 1 && Number(open) <= all.length ? null : `${where}: makes rooms on ${open} of ${all.length} shards`;
    }),
  ]);
}

// ---- the network -----------------------------------------------------------------------------------------------------

export function ports(objects) {
  const reached = [...admitted(objects, 'Ingress')].map((arrow) => arrow.split(' > ')[1]);
  const closed = containers(objects).flatMap(({ workload, container, where }) => (container.ports ?? [])
    .filter(({ containerPort }) => !reached.includes(`${whoIs(workload)} ${containerPort}`))
    .map(({ containerPort }) => `${where}: no policy is about port ${containerPort}`));
  const aimless = of(objects, 'Service').flatMap(({ metadata, spec }) => spec.ports
    .filter(({ targetPort }) => !containers(objects).some(({ workload, container }) =>
      matches({ matchLabels: spec.selector }, labelsOf(workload)) &&
      container.ports?.some(({ name }) => name === targetPort)))
    .map(({ name }) => `service ${metadata.name}: behind port ${name} is nothing`));
  return [...closed, ...aimless];
}

export function arrows(objects) {
  const wanted = new Set([...ARROWS, ...shardsOf(objects).flatMap((shard) => arrowsOfShard(objects, shard))]);
  const into = admitted(objects, 'Ingress'), out = new Set([...admitted(objects, 'Egress')].filter((a) => !names(a)));
  const silent = of(objects, 'NetworkPolicy').some(({ spec }) =>
    Object.keys(spec.podSelector).length === 0 && !spec.ingress && !spec.egress && spec.policyTypes?.length === 2);
  return list([
    silent ? null : 'no policy keeps everybody from talking to everybody',
    ...[...wanted].filter((arrow) => !into.has(arrow)).map((arrow) => `${arrow}: is not let in`),
    ...[...wanted].filter((arrow) => inside(arrow) && !out.has(arrow)).map((arrow) => `${arrow}: is not let out`),
    ...[...into].filter((arrow) => !wanted.has(arrow)).map((arrow) => `${arrow}: is let in, and is no arrow of ours`),
    ...[...out].filter((arrow) => !wanted.has(arrow)).map((arrow) => `${arrow}: is let out, and is no arrow of ours`),
  ]);
}

// ---- for a yard that lasts ---------------------------------------------------------------------------------------------

// Two or more of everything, apart from each other, and never all away at once; nobody waits for madangctl.
export const resilience = (objects) => workloads(objects).flatMap((workload) => {
  if (labelsOf(workload)[COMPONENT] === 'operator') return [];
  const name = workload.metadata.name, pod = podOf(workload), labels = labelsOf(workload);
  const apart = pod.affinity?.podAntiAffinity ?? {};
  const terms = [...(apart.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(apart.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm)];
  return list([
    replicas(objects, workload) >= 2 ? null : `${name}: there is only one`,
    of(objects, 'PodDisruptionBudget').some(({ spec }) => matches(spec.selector, labels)) ? null
      : `${name}: no budget for disruptions`,
    terms.some(({ labelSelector, topologyKey }) =>
      topologyKey === 'kubernetes.io/hostname' && matches(labelSelector, labels)) ? null
      : `${name}: all may be on one machine`,
    !serviceOf(containers([workload])[0].container) ||
      pod.topologySpreadConstraints?.some(({ labelSelector }) => matches(labelSelector, labels)) ? null
      : `${name}: all may be in one zone`,
  ]);
});

// Services listen and dial by TLS alone, with an authority and an identity out of a Secret.
export const encrypted = (objects) => containers(objects).flatMap(({ workload, container, where }) => {
  const service = serviceOf(container), told = environment(objects, container);
  if (!service && container.image.split(':')[0] !== `madang/${OPERATOR}`) return [];
  const asked = service ? settings(container) : variablesOfCtl();
  const urls = ['MADANG_MATCHMAKERS', 'MADANG_CONTROL', 'MADANG_CONTROL_PUBLIC', 'MADANG_INBOX', 'MADANG_INBOX_PUBLIC'];
  return [
    ...urls.filter((name) => asked.has(name) && !told[name]?.split(',').every((url) => /^tls\+tcp:\/\/[^$]/.test(url)))
      .map((name) => `${where}: ${name} is not by TLS`),
    ...['MADANG_TLS_CA', 'MADANG_TLS_IDENTITY'].filter((name) => !ofSecret(workload, container, told[name]))
      .map((name) => `${where}: no Secret holds ${name}`),
  ];
});

// Prometheus finds each service, and has the very alerts that are tested.
export function monitoring(objects) {
  const monitors = of(objects, 'ServiceMonitor');
  const unseen = SERVICES.filter((name) => {
    const service = named(objects, 'Service', name);
    return !monitors.some(({ spec }) => matches(spec.selector, service?.metadata.labels ?? {}) &&
      spec.jobLabel === COMPONENT && service.metadata.labels[COMPONENT] === name &&
      spec.endpoints.some(({ port }) => service.spec.ports.some((each) => each.name === port)));
  });
  const groups = of(objects, 'PrometheusRule').flatMap(({ spec }) => spec.groups);
  return [...unseen.map((name) => `${name}: no monitor reads it`),
    ...(isDeepStrictEqual(groups, alertGroups()) ? [] : ['the alerts are not those of docker/prometheus/rules: ' +
      'npm --prefix tests/shipping run alerts'])];
}
