// SPDX-License-Identifier: Apache-2.0
//
// A rendered overlay as something one can ask: which pods there are, what a container is told, who may talk to whom.
import { settingsOf } from './render.mjs';

export const COMPONENT = 'app.kubernetes.io/component';
export const SHARD = 'app.kubernetes.io/instance';
export const SERVICES = ['gateway', 'matchmaker', 'worker', 'timer'];
export const OPERATOR = 'ctl'; // the image with madangctl

export const of = (objects, ...kinds) => objects.filter((object) => kinds.includes(object.kind));
export const named = (objects, kind, name) => of(objects, kind).find((object) => object.metadata.name === name);
export const workloads = (objects) => of(objects, 'Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob');
export const podOf = (workload) => workload.spec.template.spec;
export const labelsOf = (workload) => workload.spec.template.metadata.labels ?? {};
export const containersOf = (workload) => [...(podOf(workload).initContainers ?? []), ...podOf(workload).containers];

// Every container with the workload it belongs to, and a name for sentences.
export const containers = (objects) => workloads(objects).flatMap((workload) => containersOf(workload)
  .map((container) => ({ workload, container, where: `${workload.metadata.name}/${container.name}` })));

// Who a pod is in an arrow: "worker"; of a shard of Redis "redis@shard0".
export const whoIs = (workload) => [COMPONENT, SHARD].map((label) => labelsOf(workload)[label])
  .filter((value) => value).join('@');

// The StatefulSets of Redis, in the order of their shards.
export const shardsOf = (objects) => of(objects, 'StatefulSet')
  .filter((workload) => labelsOf(workload)[COMPONENT] === 'redis')
  .sort((a, b) => labelsOf(a)[SHARD].localeCompare(labelsOf(b)[SHARD], 'en', { numeric: true }));
export const sentinelsOf = (objects, shard) => of(objects, 'StatefulSet').find((workload) =>
  labelsOf(workload)[COMPONENT] === 'sentinel' && labelsOf(workload)[SHARD] === labelsOf(shard)[SHARD]);

export function matches(selector, labels) {
  const all = Object.entries(selector?.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
  return all && (selector?.matchExpressions ?? []).every(({ key, operator, values }) => {
    if (operator === 'In') return values.includes(labels[key]);
    if (operator === 'NotIn') return !values.includes(labels[key]);
    if (operator === 'Exists') return key in labels;
    if (operator === 'DoesNotExist') return !(key in labels);
    throw new Error(`a selector with ${operator}`);
  });
}

// How many pods it has at least.
export function replicas(objects, workload) {
  const scaler = of(objects, 'HorizontalPodAutoscaler').find(({ spec }) =>
    spec.scaleTargetRef.kind === workload.kind && spec.scaleTargetRef.name === workload.metadata.name);
  return scaler ? scaler.spec.minReplicas : workload.spec.replicas ?? 1;
}

// ---- what a container is told ------------------------------------------------------------------------------------------

const downward = {
  'status.podIP': '10.1.2.3', 'metadata.name': 'pod-0', 'metadata.namespace': 'madang', 'status.hostIP': '10.0.0.1',
};

// Variable: value, as the container would see it.
export function environment(objects, container) {
  const out = {};
  for (const { configMapRef } of container.envFrom ?? [])
    Object.assign(out, named(objects, 'ConfigMap', configMapRef?.name)?.data);
  for (const { name, value, valueFrom } of container.env ?? [])
    out[name] = value?.replace(/\$\(([A-Z_]+)\)/g, (whole, inner) => out[inner] ?? whole) ??
      downward[valueFrom?.fieldRef?.fieldPath] ?? '';
  return out;
}

// What is said to this container alone, not by a map that others are told as well.
export const toldDirectly = (container) => (container.env ?? []).map(({ name }) => name);

// The program of ours that it runs; undefined: none.
export const serviceOf = (container) => SERVICES.find((name) => container.image.split(':')[0] === `madang/${name}`);
export const settings = (container) => settingsOf(serviceOf(container));

// ---- who may talk to whom -----------------------------------------------------------------------------------------------

// As whoIs says, or "namespace/" for whoever lives in another one, or "namespace/component".
function ends(objects, peers) {
  return (peers ?? [{ podSelector: {} }, { namespaceSelector: {} }]).flatMap((peer) => {
    if (peer.ipBlock) return [`ip ${peer.ipBlock.cidr}`];
    if (peer.namespaceSelector) {
      const space = peer.namespaceSelector.matchLabels?.['kubernetes.io/metadata.name'] ?? '*';
      return [`${space}/${Object.values(peer.podSelector?.matchLabels ?? {}).join()}`];
    }
    return workloads(objects).filter((workload) => matches(peer.podSelector, labelsOf(workload)))
      .map(whoIs);
  });
}

// What policies admit in one direction ("Ingress", "Egress"), as a set of "from > to port".
export function admitted(objects, direction) {
  const arrows = new Set();
  const [list, peers] = direction === 'Ingress' ? ['ingress', 'from'] : ['egress', 'to'];
  for (const workload of workloads(objects))
    for (const { spec } of of(objects, 'NetworkPolicy')) {
      if (!matches(spec.podSelector, labelsOf(workload)) || !spec.policyTypes?.includes(direction)) continue;
      const self = whoIs(workload);
      for (const rule of spec[list] ?? [])
        for (const other of ends(objects, rule[peers]))
          for (const { port, protocol } of rule.ports ?? [{ port: '*' }]) {
            const at = protocol === 'UDP' ? `${port}/udp` : port;
            arrows.add(direction === 'Ingress' ? `${other} > ${self} ${at}` : `${self} > ${other} ${at}`);
          }
    }
  return arrows;
}
