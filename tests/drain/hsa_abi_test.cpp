// The drain's own declarations of HSA's binary interface against the real headers.
#include "hsa_abi.h"

#include <gtest/gtest.h>

#define AMD_INTERNAL_BUILD // the headers then include each other by their plain names
#include <hsa.h>
#include <hsa_api_trace.h>
#include <hsa_ext_amd.h>
#include <hsa_ven_amd_loader.h>

namespace dc = device_coverage;

namespace {

constexpr size_t offsetOf(dc::HsaCoreSlot slot) {
  return offsetof(dc::HsaCoreTable, functions) + slot * sizeof(void*);
}

TEST(HsaAbi, functionsAreWhereTheTableHasThem) {
  EXPECT_EQ(offsetOf(dc::kHsaSlotShutDown), offsetof(CoreApiTable, hsa_shut_down_fn));
  EXPECT_EQ(offsetOf(dc::kHsaSlotAgentGetInfo), offsetof(CoreApiTable, hsa_agent_get_info_fn));
  EXPECT_EQ(offsetOf(dc::kHsaSlotQueueCreate), offsetof(CoreApiTable, hsa_queue_create_fn));
  EXPECT_EQ(offsetOf(dc::kHsaSlotMemoryCopy), offsetof(CoreApiTable, hsa_memory_copy_fn));
  EXPECT_EQ(offsetOf(dc::kHsaSlotExecutableDestroy),
            offsetof(CoreApiTable, hsa_executable_destroy_fn));
  EXPECT_EQ(offsetOf(dc::kHsaSlotExecutableFreeze),
            offsetof(CoreApiTable, hsa_executable_freeze_fn));
  EXPECT_EQ(offsetOf(dc::kHsaSlotGetMajorExtensionTable),
            offsetof(CoreApiTable, hsa_system_get_major_extension_table_fn));
  EXPECT_LE(sizeof(dc::HsaCoreTable), sizeof(CoreApiTable));
}

TEST(HsaAbi, theTablesStartAlike) {
  EXPECT_EQ(offsetof(dc::HsaApiTable, core), offsetof(::HsaApiTable, core_));
  EXPECT_EQ(sizeof(dc::HsaTableVersion), sizeof(ApiTableVersion));
  EXPECT_EQ(offsetof(dc::HsaTableVersion, minorId), offsetof(ApiTableVersion, minor_id));
  EXPECT_LE(dc::kHsaOldestMajor, uint32_t{HSA_CORE_API_TABLE_MAJOR_VERSION});
  EXPECT_GE(dc::kHsaNewestCoreMajor, uint32_t{HSA_CORE_API_TABLE_MAJOR_VERSION});
  EXPECT_LE(dc::kHsaOldestMajor, uint32_t{HSA_API_TABLE_MAJOR_VERSION});
  EXPECT_GE(dc::kHsaNewestApiMajor, uint32_t{HSA_API_TABLE_MAJOR_VERSION});
}

TEST(HsaAbi, segmentDescriptorsAreAlike) {
  using Real = hsa_ven_amd_loader_segment_descriptor_t;
  EXPECT_EQ(sizeof(dc::HsaSegment), sizeof(Real));
  EXPECT_EQ(offsetof(dc::HsaSegment, agent), offsetof(Real, agent));
  EXPECT_EQ(offsetof(dc::HsaSegment, executable), offsetof(Real, executable));
  EXPECT_EQ(offsetof(dc::HsaSegment, storageType), offsetof(Real, code_object_storage_type));
  EXPECT_EQ(offsetof(dc::HsaSegment, storageBase), offsetof(Real, code_object_storage_base));
  EXPECT_EQ(offsetof(dc::HsaSegment, storageSize), offsetof(Real, code_object_storage_size));
  EXPECT_EQ(offsetof(dc::HsaSegment, storageOffset), offsetof(Real, code_object_storage_offset));
  EXPECT_EQ(offsetof(dc::HsaSegment, segmentBase), offsetof(Real, segment_base));
  EXPECT_EQ(offsetof(dc::HsaSegment, segmentSize), offsetof(Real, segment_size));
}

TEST(HsaAbi, theLoaderTableIsAlike) {
  using Real = hsa_ven_amd_loader_1_01_pfn_t;
  EXPECT_EQ(sizeof(dc::HsaLoaderTable), sizeof(Real));
  EXPECT_EQ(offsetof(dc::HsaLoaderTable, querySegmentDescriptors),
            offsetof(Real, hsa_ven_amd_loader_query_segment_descriptors));
  EXPECT_EQ(offsetof(dc::HsaLoaderTable, iterateLoadedCodeObjects),
            offsetof(Real, hsa_ven_amd_loader_executable_iterate_loaded_code_objects));
  EXPECT_EQ(offsetof(dc::HsaLoaderTable, loadedCodeObjectInfo),
            offsetof(Real, hsa_ven_amd_loader_loaded_code_object_get_info));
}

TEST(HsaAbi, numbersAreAlike) {
  EXPECT_EQ(dc::kHsaSuccess, uint32_t{HSA_STATUS_SUCCESS});
  EXPECT_EQ(dc::kHsaErrorNotInitialized, uint32_t{HSA_STATUS_ERROR_NOT_INITIALIZED});
  EXPECT_EQ(dc::kHsaErrorOutOfResources, uint32_t{HSA_STATUS_ERROR_OUT_OF_RESOURCES});
  EXPECT_EQ(dc::kHsaAgentInfoDevice, uint32_t{HSA_AGENT_INFO_DEVICE});
  EXPECT_EQ(dc::kHsaAgentInfoPciBusDeviceFunction, uint32_t{HSA_AMD_AGENT_INFO_BDFID});
  EXPECT_EQ(dc::kHsaAgentInfoPciDomain, uint32_t{HSA_AMD_AGENT_INFO_DOMAIN});
  EXPECT_EQ(dc::kHsaDeviceTypeGpu, uint32_t{HSA_DEVICE_TYPE_GPU});
  EXPECT_EQ(dc::kHsaExtensionAmdLoader, uint16_t{HSA_EXTENSION_AMD_LOADER});
  EXPECT_EQ(dc::kHsaStorageTypeMemory,
            uint32_t{HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY});
}

TEST(HsaAbi, whatIsAskedOfALoadedCodeObjectIsAlike) {
  const std::pair<uint32_t, uint32_t> attributes[] = {
      {dc::kHsaLoadedAgent, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_AGENT},
      {dc::kHsaLoadedStorageType,
       HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_TYPE},
      {dc::kHsaLoadedStorageBase,
       HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_BASE},
      {dc::kHsaLoadedStorageSize,
       HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_SIZE},
      {dc::kHsaLoadedBase, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE},
      {dc::kHsaLoadedSize, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE}};
  for (const auto& [ours, theirs] : attributes)
    EXPECT_EQ(ours, theirs);
}

} // namespace
