# SPDX-License-Identifier: Apache-2.0
build(${consumer} build)
run(${work}/build/consumer)
expect("helicity ${VERSION}")
