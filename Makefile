# SPDX-License-Identifier: Apache-2.0
#
# Everything is built and tested from here: `make help`. One file, no lists of files: a new source, game, service or
# test is found by where it lies.
#
#   BUILD=dir        where everything goes (default build)
#   VARIANT=name     release (default) | debug | asan (address + undefined) | tsan (thread) | fuzz (clang) |
#                    mutants (faults to be planted, see libs/base/mutant.h)
#   V=1              show whole commands
#   -jN              jobs at once (default: one for each core)
#
#   $(BUILD)/bin/            binaries of the release variant; of others $(BUILD)/<variant>/bin/
#   $(BUILD)/tests/...       test programs, likewise
#   $(BUILD)/gen/            generated sources
#   services/web/dist/       the browser client

BUILD   ?= build
VARIANT ?= release
MAKEFLAGS += --no-builtin-rules --no-builtin-variables -j$(shell nproc)
.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:
.DEFAULT_GOAL := all

ifeq ($(filter $(VARIANT),release debug asan tsan fuzz mutants),)
$(error VARIANT=$(VARIANT): it is one of release, debug, asan, tsan, fuzz, mutants)
endif

OUT := $(BUILD)$(if $(filter-out release,$(VARIANT)),/$(VARIANT))
GEN := $(BUILD)/gen
OBJ := $(OUT)/obj
BIN := $(OUT)/bin
LIB := $(OUT)/lib
TESTS := $(OUT)/tests

# ---- who may use whom -----------------------------------------------------------------------------------------------
#
# A library, core or area of tests is linked with what its row names, and with what those use in turn; nothing else is
# there to be linked. Includes are held against the same rows (make lint).
#
#   proto            generated from proto/*.proto
#   games            all of libs/games/*/ and the generated list of them
#   core-<name>      services/<name>/ without main.c and shell_*.c; includes of it are judged by the row "core"
#   shell            libs/shell, and each main.c and shell_*.c
#
# bus, store and ops touch the world: shells alone use them.

uses_base  :=
uses_proto :=
uses_game  := base
uses_games := game base proto
uses_wire  := base proto
uses_room  := game wire base
uses_bus   := wire base
uses_store := wire base
uses_ops   := base
uses_core  := room game wire base
uses_shell := bus store ops room games game wire base

services := $(sort $(patsubst services/%/,%,$(dir $(wildcard services/*/*.c))))
cores    := $(services:%=core-%)
$(foreach c,$(cores),$(eval uses_$c := $$(uses_core)))

# Areas of tests. tests/unit/<area> is linked with the library, the core or the games of that name.
pure := base game games wire room
uses_tests/sim     := $(cores) $(pure)
uses_tests/scale   := core-matchmaker core-worker $(pure)
uses_tests/cluster := $(pure) bus store ops
uses_tests/drill   := $(pure) bus store ops
uses_tests/bench   := $(cores) $(pure) bus store ops
uses_tests/fuzz    := $(cores) $(pure)

# For .ci/layers: what each may include.
.PHONY: print-layers
print-layers: ; @:$(foreach l,base game games wire room bus store ops core shell,\
  $(info $l: $(sort $l $(call closure,$(uses_$l)))))

# ---- compiler -------------------------------------------------------------------------------------------------------

CC := gcc
AR := ar
warnings := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef -Wno-format-truncation -Werror
includes := -Ilibs -Iservices -Itests -I$(GEN)

# Lines are all that a test tells of where it failed; -g1 builds in two thirds of the time.
flags_release := -O2 -g -fstack-protector-strong -D_FORTIFY_SOURCE=2
flags_debug   := -O0 -g3
flags_asan    := -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
flags_tsan    := -O1 -g -fsanitize=thread -fno-omit-frame-pointer
flags_fuzz    := -O1 -g1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all \
                 -fno-omit-frame-pointer
flags_mutants := -O2 -g1 -DMADANG_MUTANTS
ifeq ($(VARIANT),fuzz)
CC := clang
warnings += -Wno-unknown-warning-option
endif
flags    := $(flags_$(VARIANT)) $(EXTRA_CFLAGS)
CPPFLAGS := -D_GNU_SOURCE $(includes)
CFLAGS   := -std=gnu11 $(warnings) $(flags)
LDFLAGS  := $(flags) -Wl,--as-needed
system   := -lprotobuf-c -lsodium -lutf8proc -lnng -lhiredis -luv -lwebsockets -lssl -lcrypto -lqrencode -lpthread -lm

say = $(if $(V),,@$(if $(findstring s,$(firstword -$(MAKEFLAGS))),,printf '  %-4s %s\n' $1 $2;))

# ---- what there is --------------------------------------------------------------------------------------------------

protos    := $(wildcard proto/*.proto)
generated := $(protos:proto/%.proto=$(GEN)/%.pb-c.c)
headers   := $(generated:.c=.h)
game_dirs := $(sort $(patsubst libs/games/%/,%,$(dir $(wildcard libs/games/*/*.c))))

libs := base game games wire room bus store ops shell
$(foreach l,$(libs),$(eval sources_$l := $$(wildcard libs/$l/*.c)))
sources_store += $(GEN)/store_scripts.c
sources_games := $(wildcard libs/games/*/*.c)
sources_proto := $(generated)
$(foreach s,$(services),\
  $(eval shell_$s := $$(filter services/$s/main.c services/$s/shell_%,$$(wildcard services/$s/*.c)))\
  $(eval sources_core-$s := $$(filter-out $$(shell_$s),$$(wildcard services/$s/*.c))))

# A binary for each service that has a main.c.
mains := $(patsubst services/%/main.c,%,$(wildcard services/*/main.c))
binary = $(BIN)/$(if $(filter ctl,$1),madangctl,madang-$1)
BINARIES := $(foreach s,$(mains),$(call binary,$s))

object  = $(patsubst %.c,$(OBJ)/%.o,$(patsubst $(GEN)/%.c,gen/%.c,$1))
archive = $(LIB)/lib$1.a
closure = $(if $(strip $1),$(sort $1 $(call closure,$(sort $(foreach l,$1,$(uses_$l))))))
# The archives (and, for the games, their list) that a row of the table allows; only those with sources.
linked  = $(foreach l,$(call closure,$1),$(if $(sources_$l),$(call archive,$l)) \
            $(if $(filter games,$l),$(OBJ)/gen/games.o))
link    = $(call say,LINK,$@)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) \
            -Wl,--start-group $(filter %.a,$^) -Wl,--end-group

# Writes a file when its text changes, so that a changed list or flag rebuilds what depends on it.
define keep
$(if $(filter-out $(subst $() ,|,$(strip $2)),$(subst $() ,|,$(strip $(file <$1))))$(if $(wildcard $1),,new),\
  $(shell mkdir -p $(dir $1))$(file >$1,$(strip $2)))
endef

# ---- packages -------------------------------------------------------------------------------------------------------

suites := lint tools unit conformance sim asan mutants fuzz web-test cluster observability counts smoke e2e k8s-check compose-test
# These goals install what is missing; any other build says so and stops.
installing := $(filter run test deps web images purity format proto-lock drill drill-timers durability bench scale $(suites),\
                $(MAKECMDGOALS))
packages := $(if $(installing),packages,$(BUILD)/.packages)

.PHONY: packages
packages:
	@.ci/deps $(if $(filter-out run,$(MAKECMDGOALS)),install,runtime)
$(BUILD)/.packages: .ci/deps
	@.ci/deps check && mkdir -p $(@D) && touch $@

# ---- rules ----------------------------------------------------------------------------------------------------------

$(call keep,$(OUT)/flags,$(CC) $(CPPFLAGS) $(CFLAGS))

$(GEN)/%.pb-c.c $(GEN)/%.pb-c.h &: proto/%.proto | $(packages)
	$(call say,GEN,$<)mkdir -p $(GEN) && protoc-c --proto_path=proto --c_out=$(GEN) $<

$(call keep,$(GEN)/games.list,$(game_dirs))
$(GEN)/games.c: $(GEN)/games.list
	$(call say,GEN,$@){ \
	  echo '/* Generated: one line per folder of libs/games. */'; \
	  echo '#include "game/registry.h"'; \
	  for game in $(game_dirs); do echo "extern const struct game $${game}_game;"; done; \
	  echo 'const struct game *const games_of_this_build[] = {'; \
	  for game in $(game_dirs); do echo "    &$${game}_game,"; done; \
	  echo '    NULL,'; \
	  echo '};'; } > $@

# Each script as one string: common.lua, then its own file. Lines that begin with --@ are planted faults: they are
# there where these are compiled in.
scripts := $(filter-out %/common.lua,$(wildcard libs/store/scripts/*.lua))
$(GEN)/store_scripts.c: libs/store/scripts/common.lua $(scripts)
	$(call say,GEN,$@)mkdir -p $(@D) && { \
	  echo '#include "store/scripts.h"'; \
	  for script in $(basename $(notdir $(scripts))); do \
	    echo "const char store_script_$$script[] ="; \
	    sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/' \
	      -e 's/^" *--@ \(.*\)/#ifdef MADANG_MUTANTS\n"\1\n#endif/' $< libs/store/scripts/$$script.lua; \
	    echo ';'; \
	  done; } > $@

# An object appears whole or not at all, also when the compiler is killed.
compile = $(call say,CC,$<)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) $1 -MMD -MP -MF $(@:.o=.d) -MT $@ \
            -c -o $@.part $< && mv $@.part $@
$(OBJ)/%.o: %.c $(OUT)/flags | $(headers) $(packages)
	$(call compile)
$(OBJ)/gen/%.o: $(GEN)/%.c $(OUT)/flags | $(headers) $(packages)
	$(call compile,-w)

# An archive is made anew, so that a source that went leaves nothing behind.
define archive_rules
$(call keep,$(LIB)/$1.list,$(sources_$1))
$(call archive,$1): $(call object,$(sources_$1)) $(LIB)/$1.list
	$$(call say,AR,$$@)rm -f $$@ && $(AR) rcsD $$@ $$(filter %.o,$$^)
endef
$(foreach l,proto $(libs) $(cores),$(if $(sources_$l),$(eval $(call archive_rules,$l))))

define binary_rules
$(call binary,$1): $(call object,$(shell_$1)) $(call linked,core-$1 shell)
	@mkdir -p $$(@D)
	$$(link) $(system)
endef
$(foreach s,$(mains),$(eval $(call binary_rules,$s)))

# ---- tests ----------------------------------------------------------------------------------------------------------
#
# In an area of tests, <x>_test.c is a test program (cmocka), <x>_main.c a program that is built and not run (the smoke
# suite runs tests/cluster/smoke_main.c), <x>_fuzz.c a fuzz target, <x>_preload.c a library for LD_PRELOAD; all other .c
# files are linked to each of them.

areas := $(sort $(patsubst tests/%/,%,$(dir $(wildcard tests/unit/*/*.c tests/sim/*.c tests/scale/*.c tests/cluster/*.c \
           tests/drill/*.c tests/bench/*.c tests/fuzz/*.c))))
programs = $(patsubst tests/%.c,$(TESTS)/%,$(wildcard $(foreach a,$2,tests/$a/*_$1.c)))
support  = $(filter-out %_test.c %_main.c %_fuzz.c %_preload.c,$(wildcard tests/$1/*.c)) $(borrows_$1)
# What an area borrows from another: the simulated store passes the stores' suite, a Redis of one's own is of use to all.
borrows_unit/store := $(wildcard tests/sim/model_*.c)
borrows_unit/timer := $(wildcard tests/sim/model_*.c)
borrows_unit/room_games := $(filter-out %_test.c,$(wildcard tests/unit/room/*.c))
borrows_sim := tests/unit/room/toy.c
borrows_scale := $(wildcard tests/sim/model_*.c) tests/sim/queue.c
borrows_unit/worker := $(wildcard tests/sim/model_*.c) tests/unit/room/toy.c
real_redis         := $(patsubst %,tests/unit/store/%.c,redis_fixture redis_group)
borrows_cluster    := $(real_redis) tests/unit/wire/sample.c
borrows_drill      := $(wildcard tests/cluster/ws_*.c tests/cluster/bot*.c) tests/cluster/cluster.c $(real_redis)
borrows_bench      := $(patsubst %,tests/unit/store/%.c,redis_fixture client ops) \
                      $(wildcard tests/cluster/ws_*.c tests/cluster/bot*.c)
borrows_unit/claim := $(patsubst %,tests/unit/%.c,gateway/yard gateway/yard_say worker/rig worker/rig_say room/toy) \
                      $(wildcard tests/sim/model_*.c) tests/bench/reads.c
borrows_unit/bench := $(filter-out %_main.c,$(wildcard tests/bench/*.c)) \
                      $(wildcard tests/cluster/ws_*.c tests/cluster/bot*.c)
# For tests/unit/<area>: the library or the core of that name, a game's folder, what the area of tests of that name uses,
# or everything that is pure.
unit_row = $(if $(filter $1,$(libs)),$1,$(if $(filter $1,$(services)),core-$1,$(if $(filter $1,$(game_dirs)),games,\
             $(or $(uses_tests/$1),$(pure) $(cores)))))
area_row = $(if $(filter unit/%,$1),$(call unit_row,$(1:unit/%=%)),$(uses_tests/$1))

define area_rules
$(TESTS)/$1/%: $(OBJ)/tests/$1/%.o $(call object,$(call support,$1)) $(call linked,$(call area_row,$1))
	@mkdir -p $$(@D)
	$$(link) -lcmocka $(system)
endef
$(foreach a,$(areas),$(eval $(call area_rules,$a)))

# What a process is started with instead of the system's.
$(TESTS)/%_preload.so: tests/%_preload.c $(OUT)/flags
	$(call say,LINK,$@)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) -shared -fPIC -o $@ $<

# The instrument lies beside the binaries that it measures.
$(BIN)/madang-load: $(TESTS)/bench/load_main
	$(call say,COPY,$@)mkdir -p $(@D) && cp $< $@

fuzzers := $(patsubst tests/%.c,$(TESTS)/%,$(wildcard tests/fuzz/*_fuzz.c))
$(TESTS)/fuzz/%_fuzz: LDFLAGS += -fsanitize=fuzzer

# For each suite: what it runs; what it builds beside.
list_unit        := $(call programs,test,$(filter-out unit/games,$(filter unit/%,$(areas))))
list_conformance := $(call programs,test,$(filter unit/games,$(areas)))
list_sim         := $(call programs,test,sim scale)
list_bench       := $(call programs,main,bench)
list_cluster     := $(call programs,test,cluster)
list_drill       := $(call programs,test,drill)
list_smoke       := $(filter %/smoke_main,$(call programs,main,cluster))
list_fuzz        := $(if $(filter fuzz,$(VARIANT)),$(fuzzers))
more_unit        := $(call programs,main,$(filter-out unit/games,$(filter unit/%,$(areas))))
more_conformance := $(call programs,main,$(filter unit/games,$(areas)))
more_sim         := $(call programs,main,sim scale)
more_bench       := $(BIN)/madang-load $(TESTS)/bench/calls_preload.so
more_cluster     := $(call programs,main,cluster)
more_drill       := $(call programs,main,drill) $(TESTS)/drill/skew_preload.so
lists := unit conformance sim bench cluster drill smoke fuzz

.PHONY: $(lists:%=build-%) $(lists:%=list-%)
$(foreach l,$(lists),$(eval build-$l: $(list_$l) $(more_$l) ; @:)$(eval list-$l: ; @echo $(list_$l)))
build-cluster build-drill build-smoke: all
build-cluster: $(BIN)/madang-load

# ---- lint -----------------------------------------------------------------------------------------------------------
#
# .ci/lint runs all checks. Those of single files leave a stamp here, so that only what changed is looked at again.

c_files    := $(wildcard libs/*/*.[ch] libs/games/*/*.[ch] services/*/*.[ch] tests/*/*.[ch] tests/unit/*/*.[ch])
stamps      = $(patsubst %,$(BUILD)/lint/%.$1,$2)
lint-format := $(call stamps,format,$(c_files))
lint-tidy   := $(call stamps,tidy,$(filter %.c,$(c_files)))
lint-cppcheck := $(call stamps,cppcheck,$(filter %.c,$(c_files)))

.PHONY: lint-format lint-tidy lint-cppcheck lint-purity
lint-format: $(lint-format) ; @:
lint-tidy: $(lint-tidy) ; @:
lint-cppcheck: $(lint-cppcheck) ; @:
$(BUILD)/lint/%.format: % .clang-format
	@clang-format --dry-run -Werror $< && mkdir -p $(@D) && touch $@
# It takes loops for never entered and stumbles over compound literals; compilers and sanitizers see the same better.
cppcheck_quiet := $(addprefix --suppress=,uninitvar ctuuninitvar uninitStructMember autoVariables internalAstError \
  arrayIndexThenCheck memleak:tests/*)
# A quarter of the paths that the analyzer would follow takes a quarter of the time; of tests, which the sanitizers see
# whole whenever they run, a sixteenth.
tidy_soon = $(addprefix --extra-arg=,-Xclang -analyzer-config -Xclang max-nodes=$(if $(filter tests/%,$1),15000,60000))
# The object stands for the headers that the source includes.
$(BUILD)/lint/%.c.tidy: %.c $(OBJ)/%.o .clang-tidy
	@clang-tidy --quiet $(call tidy_soon,$<) $< -- -std=gnu11 $(CPPFLAGS) 2>$(BUILD)/lint/noise && mkdir -p $(@D) && touch $@
$(BUILD)/lint/%.c.cppcheck: %.c $(OBJ)/%.o
	@cppcheck --quiet --enable=warning,performance,portability --inline-suppr --error-exitcode=1 --std=c11 \
	  --language=c $(foreach q,$(cppcheck_quiet),'$q') $(includes) $< && mkdir -p $(@D) && touch $@

# All that is pure, linked alone: what it still asks of the system is held against a reviewed list.
impure := %/main.c %_nng.c %_redis.c %_os.c
pure_sources := $(filter-out $(impure),$(foreach l,proto $(pure) bus store ops $(cores),$(sources_$l)))
pure_objects := $(call object,$(pure_sources)) $(OBJ)/gen/games.o
lint-purity: $(BUILD)/pure.o
	@.ci/purity $< $(pure_objects)
$(BUILD)/pure.o: $(pure_objects)
	$(call say,LINK,$@)ld -r -o $@ $^

# ---- what people call -----------------------------------------------------------------------------------------------

.PHONY: all run web clean deps help
all: $(BINARIES) ; @: ## builds the service binaries

lower = $(shell printf %s $1 | tr A-Z a-z)
run: all web ## starts a cluster here and prints its address (PORT= BIND= WORKERS= GATEWAYS= ...)
	@exec $(BIN)/madangctl up $(foreach v,PORT BIND GATEWAYS MATCHMAKERS WORKERS TIMERS DATA FSYNC,\
	  $(if $($v),--$(call lower,$v)=$($v)))

# The browser client, when there is one. It is built in its own folder, whatever BUILD is.
web_package := $(wildcard services/web/package.json)
web_sources := $(if $(web_package),$(shell find services/web proto \( -name node_modules -o -name dist -o -name gen \
                 -o -name shots \) -prune -o -type f -print))
web: $(if $(web_package),services/web/dist/.built) ; @: ## builds the browser client
services/web/dist/.built: $(web_sources) | services/web/node_modules/.package-lock.json
	$(call say,WEB,$(@D))cd services/web && npm run --silent build
	@touch $@
%/node_modules/.package-lock.json: %/package-lock.json | $(packages)
	@echo "  NPM  $*: installing from the lock file"
	@cd $* && npm ci --loglevel=error --no-audit --no-fund
	@touch $@

npm_folders := $(patsubst %/package-lock.json,%,$(wildcard services/web/package-lock.json tests/e2e/package-lock.json \
                 tests/shipping/package-lock.json))
deps: packages $(npm_folders:%=%/node_modules/.package-lock.json) ; @: ## installs the Debian and npm packages needed

# Suites named together run one after the other, by one runner.
asked  := $(filter $(suites),$(MAKECMDGOALS))
suite   = @$(if $(filter $@,$(firstword $(asked))),BUILD=$(BUILD) .ci/run-tests $(asked:web-test=web),:)
.PHONY: test $(suites)
test: packages ## runs every suite there is and ends in one line: N passed, N failed
	@BUILD=$(BUILD) .ci/run-tests
lint: packages ; $(suite) ## formatting, clang-tidy, cppcheck, purity, layers, contracts, TypeScript and Svelte
tools: packages ; $(suite) ## tests of the scripts in .ci
unit: packages ; $(suite) ## tests of single libraries and cores
conformance: packages ; $(suite) ## what every game must fulfil, and broken engines that must be caught
sim: packages ; $(suite) ## the cores over simulated network, store and clock (SEED= repeats a run, HOURS= or KILLS= goes on)
asan: packages ; $(suite) ## unit, conformance and sim under the address and undefined-behaviour sanitizers
mutants: export WHOLE := 1
mutants: packages ; $(suite) ## planted faults, each of which the tests must find (NAME= one of them, SECONDS= of drawn runs)
fuzz: packages ; $(suite) ## what is kept and arbitrary bytes into every decoder, guided by coverage (SECONDS= for each target)
.PHONY: fuzz-keep
fuzz-keep: packages $(list_fuzz) ## keeps in tests/fuzz/corpus what fuzz targets have learnt (VARIANT=fuzz)
	@BUILD=$(BUILD) .ci/fuzz-keep $(list_fuzz)
web-test: packages ; $(suite) ## tests of the browser client without a browser
cluster: packages ; $(suite) ## real processes, real Redis, real WebSocket clients
observability: packages ; $(suite) ## metrics, logs, dashboards and alerts, against a running cluster and the real Prometheus
counts: packages ; $(suite) ## what one claim costs, in counts: instructions, allocations, calls of the kernel, batches
smoke: packages ; $(suite) ## a cluster on free ports plays one whole game of every kind
e2e: packages ; $(suite) ## browsers play through a cluster
k8s-check: packages ; $(suite) ## manifests against the published schemas and our own rules; the composition too

# Images are tagged madang/<target>:$(IMAGES_TAG), one for each target of the Dockerfile that people use.
image_names := gateway matchmaker worker timer ctl web redis ingress prometheus
IMAGES_TAG  ?= latest
.PHONY: images
images: web ## builds every image with Docker, when there is an engine (IMAGES_TAG=)
	@docker/images $(IMAGES_TAG) $(image_names)
compose-test: packages ; $(suite) ## plays through docker/compose.yaml while containers are killed, when there is an engine

.PHONY: drill
drill: packages build-drill ## breaks a cluster under load and prints what came of it (FAULT= KILLS= ROOMS= RUNS=)
	@BUILD=$(BUILD) $(TESTS)/drill/drill_main

.PHONY: bench
bench: packages all $(BIN)/madang-load ## measures a cluster on one core under load from another (RUNS= SECONDS= ONLY= CORES=)
	@BUILD=$(BUILD) node tests/bench/bench.mjs

.PHONY: scale
scale: packages build-sim ## a thousand workers, a million rooms, ten thousand tickets a second, simulated (ROOMS= WORKERS= TICKETS=)
	@BUILD=$(BUILD) $(TESTS)/scale/scale_main

.PHONY: drill-timers
drill-timers: packages build-drill ## kills timers of which a million deadlines are asked, 5,000 a second (RUNS=)
	@BUILD=$(BUILD) $(TESTS)/drill/timer_main 1000000 5 $(RUNS)

.PHONY: durability
durability: packages build-drill ## what is lost when workers and Redis end together, in each of its modes (RUNS=)
	@$(TESTS)/drill/durability_main

.PHONY: purity format proto-lock
purity: packages lint-purity ; @: ## what the pure code asks of the system, held against .ci/purity-allow.txt
format: packages ## formats the C sources
	@clang-format -i $(c_files)
proto-lock: packages ## writes new fields of proto/ down in proto/fields.lock, for good
	@.ci/proto-lock append

clean: ## removes $(BUILD)
	rm -rf $(BUILD)

help: ## lists these targets
	@awk -F '## ' '/^[a-z0-9-]+:.*## / { split($$1, name, ":"); printf "  %-12s %s\n", name[1], $$2 }' Makefile

-include $(patsubst %.o,%.d,$(call object,$(foreach l,proto $(libs) $(cores),$(sources_$l)) \
           $(foreach s,$(services),$(shell_$s)) $(wildcard $(areas:%=tests/%/*.c))))
-include $(OBJ)/gen/games.d
