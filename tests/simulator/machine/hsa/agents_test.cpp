// Agents: what the topology promises is what the runtime finds.

#include "hsa_machine.h"

using Agents = HsaTest;

TEST_F(Agents, MixedListGivesTheGpusInItsOrder) {
  ASSERT_EQ(3u, gpus_.size()) << "these tests run with --gpus gfx90a:2,gfx908";
  EXPECT_EQ("gfx90a", nameOf(gpus_[0]));
  EXPECT_EQ("gfx90a", nameOf(gpus_[1]));
  EXPECT_EQ("gfx908", nameOf(gpus_[2]));
}

TEST_F(Agents, TargetIdsCarryTheModelledFeatures) {
  const auto isaName = [](hsa_agent_t agent) {
    hsa_isa_t isa{};
    char name[64] = {};
    EXPECT_EQ(HSA_STATUS_SUCCESS, hsa_agent_get_info(agent, HSA_AGENT_INFO_ISA, &isa));
    EXPECT_EQ(HSA_STATUS_SUCCESS, hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, name));
    return std::string(name);
  };
  EXPECT_EQ("amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-", isaName(gpus_[0]));
  EXPECT_EQ("amdgcn-amd-amdhsa--gfx908:sramecc+:xnack-", isaName(gpus_[2]));
}

TEST_F(Agents, ComputeUnitsAndWaveSizeAreThoseOfTheModel) {
  const auto number = [](hsa_agent_t agent, int what) {
    uint32_t value = 0;
    EXPECT_EQ(HSA_STATUS_SUCCESS,
              hsa_agent_get_info(agent, static_cast<hsa_agent_info_t>(what), &value));
    return value;
  };
  EXPECT_EQ(110u, number(gpus_[0], HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT));
  EXPECT_EQ(120u, number(gpus_[2], HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT));
  EXPECT_EQ(64u, number(gpus_[0], HSA_AGENT_INFO_WAVEFRONT_SIZE));
}

TEST_F(Agents, EveryGpuReachesEveryOther) {
  for (const hsa_agent_t gpu : gpus_)
    for (const hsa_agent_t other : gpus_) {
      hsa_amd_memory_pool_access_t access = HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
      HSA_OK(hsa_amd_agent_memory_pool_get_info(gpu, poolOf(other),
                                                HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS, &access));
      EXPECT_NE(HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED, access);
    }
}
